import { z } from 'zod';
import { auditBody, auditQuery } from '@/lib/protocol/api';
import { auditCheckpointBody, auditExportQuery, auditProofBody } from '@/lib/protocol/audit';
import { route } from '../route';

export const auditRoutes = [
  route({
    method: 'get',
    path: '/api/audit',
    summary: 'What was done, refused and failed, newest first',
    query: auditQuery,
    response: auditBody,
    handle: ({ query }, { services }) => services.queries.audit(query),
  }),
  route({
    method: 'get',
    path: '/api/audit/proof',
    summary: 'What is known about the audit trail as a whole: signed, verified, copied, unproven',
    response: auditProofBody,
    handle: (_input, { services }) => services.audit.proof(),
  }),
  route({
    method: 'get',
    path: '/api/audit/checkpoint',
    summary: 'The newest signed state of the audit trail, to be kept somewhere else',
    response: auditCheckpointBody,
    handle: async (_input, { services }) => ({ checkpoint: await services.audit.checkpoint() }),
  }),
  route({
    method: 'get',
    path: '/api/audit/export',
    summary: 'The audit trail as a file: JSON lines with the proof, or CSV',
    query: auditExportQuery,
    response: z.string(),
    files: ['application/jsonl', 'text/csv'],
    handle: ({ query }, { services }) => services.audit.export(query),
  }),
];
