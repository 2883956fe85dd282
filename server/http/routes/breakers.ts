import { z } from 'zod';
import {
  breakerBody,
  historyBody,
  historyQuery,
  impactBody,
  seriesBody,
  seriesQuery,
  targetSeriesBody,
  targetSeriesQuery,
} from '@/lib/protocol/api';
import { commandKind } from '@/lib/protocol/breaker-state';
import { diagnosisBody } from '@/lib/protocol/findings';
import { idParams, route } from '../route';

export const breakerRoutes = [
  route({
    method: 'get',
    path: '/api/breakers/{id}',
    summary: 'One breaker: its view, instances, configurations and overrides',
    params: idParams,
    response: breakerBody,
    handle: ({ params }, { services }) => services.queries.breaker(params.id),
  }),
  route({
    method: 'get',
    path: '/api/breakers/{id}/history',
    summary: 'Stored events of a breaker, newest first',
    params: idParams,
    query: historyQuery,
    response: historyBody,
    handle: ({ params, query }, { services }) => services.queries.history(params.id, query),
  }),
  route({
    method: 'get',
    path: '/api/breakers/{id}/series',
    summary: 'Samples of a time range in buckets, with probes, events and gaps',
    params: idParams,
    query: seriesQuery,
    response: seriesBody,
    handle: ({ params, query }, { services }) => services.queries.series(params.id, query),
  }),
  route({
    method: 'get',
    path: '/api/breakers/{id}/diagnosis',
    summary: 'What is wrong with a breaker, on which evidence, and what to change',
    params: idParams,
    response: diagnosisBody,
    handle: ({ params }, { services }) => services.diagnosis.breaker(params.id),
  }),
  route({
    method: 'get',
    path: '/api/targets/series',
    summary: 'Admitted and refused calls to one target, summed over all its breakers',
    query: targetSeriesQuery,
    response: targetSeriesBody,
    handle: ({ query }, { services }) => services.queries.targetSeries(query),
  }),
  route({
    method: 'get',
    path: '/api/breakers/{id}/impact',
    summary: 'What an override would hit now',
    params: idParams,
    query: z.object({ kind: commandKind }),
    response: impactBody,
    handle: ({ params, query }, { services }) => services.overrides.impact(params.id, query.kind),
  }),
];
