import type { Grant } from '@/lib/protocol/access';
import type { Caller } from '@/server/services/caller';

export const EVERYWHERE = { environment: '*', service: '*' } as const;

/** Somebody signed in; without grants given, an admin. */
export function personNamed(
  name: string,
  grants: readonly Grant[] = [{ role: 'admin', ...EVERYWHERE }],
): Caller {
  return {
    principal: {
      kind: 'user',
      id: `usr_${name}`,
      name,
      email: `${name}@example.test`,
      grants,
      sessionId: `ses_${name}`,
      factors: ['password'],
      freshAt: null,
    },
    ip: '127.0.0.1',
    userAgent: 'test',
    requestId: `req_${name}`,
  };
}

export const ada = personNamed('ada');
export const bob = personNamed('bob');
export const eve = personNamed('eve');
