import { auditBody, auditQuery } from '@/lib/protocol/api';
import { route } from '../route';

export const auditRoutes = [
  route({
    method: 'get',
    path: '/api/audit',
    summary: 'What was done, refused and failed, newest first',
    query: auditQuery,
    response: auditBody,
    handle: ({ query: { before, limit, subject } }, { services }) =>
      services.queries.audit({
        limit,
        ...(before === undefined ? {} : { before }),
        ...(subject === undefined ? {} : { subject }),
      }),
  }),
];
