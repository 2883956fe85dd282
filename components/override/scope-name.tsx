'use client';

import { useBreaker } from '@/lib/client/use-live';
import type { CommandView } from '@/lib/protocol/command-views';
import { scopeWords } from './scope';

/** The reach of a command with the names that the live fleet has for it. */
export function ScopeName({ command }: { command: Pick<CommandView, 'scope' | 'facts'> }) {
  const row = useBreaker(command.facts.breakers[0]?.breakerId ?? '');
  return scopeWords(command.scope, row === null ? {} : { breaker: row.name, service: row.service });
}
