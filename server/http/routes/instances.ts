import { z } from 'zod';
import { removedInstanceBody } from '@/lib/protocol/api';
import { idParams, route } from '../route';

export const instanceRoutes = [
  route({
    method: 'post',
    path: '/api/instances/{id}/remove',
    summary: 'Take an instance that is offline out of the lists; it returns if it reports again',
    params: idParams,
    body: z.strictObject({}),
    response: removedInstanceBody,
    handle: async ({ params }, { services }) => {
      const { breakersGone, ...removed } = await services.instances.remove(params.id);
      return { ...removed, breakersGone: [...breakersGone] };
    },
  }),
];
