import type { User } from '@/server/auth/identity/sessions';
import { fakeBus } from '@/tests/server/fakes/services';
import { ada } from '@/tests/support/callers';

export const adaUser = ada.principal as User;

/** What the live gateway asks about sessions, all in order until a test changes it. */
export function liveSession() {
  const state = {
    bus: fakeBus(),
    user: adaUser as User | null,
    tickets: new Set(['ticket-1']),
  };
  return {
    bus: state.bus,
    redeemTicket: (ticket: string) => state.tickets.has(ticket),
    refresh: async () => state.user,
    state,
  };
}
