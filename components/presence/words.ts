import type { PresentPerson } from '@/lib/protocol/live-frames';

const LISTED = 2;

/** "Otto", "Otto and Mara", "Otto, Mara and 3 more". */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, LISTED);
  const rest = names.length - shown.length;
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.join(' and ');
}

export function preparing(people: readonly PresentPerson[]): readonly PresentPerson[] {
  return people.filter(({ preparingSince }) => preparingSince !== null);
}

export function preparingText(people: readonly PresentPerson[]): string {
  const names = preparing(people).map(({ name }) => name);
  return `${namesText(names)} ${names.length === 1 ? 'is' : 'are'} preparing an override`;
}
