import type { AgentSession } from '../../services/contract';

/** One connection. What belongs to an agent exists only while it is live. */
export type Session =
  | { readonly phase: 'awaiting-hello' }
  | { readonly phase: 'connecting' }
  | { readonly phase: 'live'; readonly agent: AgentSession }
  | { readonly phase: 'closed' };
