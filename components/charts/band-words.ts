import { isState, stateWord } from '@/components/state';

/** The word of a band; one that is no state of a breaker is a time that nothing is known of. */
export function bandWord(state: string): string {
  return isState(state) ? stateWord(state) : 'Unknown';
}
