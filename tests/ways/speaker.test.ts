import { describe, expect, it } from 'vitest';
import type { States } from '@/components/shell/changes-text';
import { Speaker } from '@/components/shell/speaker';

const fleet = (...states: ReturnType<States['get']>[]): States =>
  new Map(states.map((state, index) => [`b${index}`, state ?? 'closed']));

const many = (state: 'open' | 'closed') => fleet(...Array.from({ length: 1_000 }, () => state));

describe('[U-31] what is said aloud', () => {
  it('is not the first picture, but what changed after it, in one sentence', () => {
    const speaker = new Speaker();
    expect(speaker.next(fleet('open', 'closed', 'closed'), true)).toBe('');
    expect(speaker.next(fleet('closed', 'open', 'open'), true)).toBe(
      '2 breakers opened, 1 breaker recovered',
    );
  });

  it('is nothing when nothing changed, or what changed has changed back', () => {
    const speaker = new Speaker();
    speaker.next(fleet('closed'), true);
    expect(speaker.next(fleet('closed'), true)).toBe('');
  });

  it('waits for the connection, and then sums up what was missed', () => {
    const speaker = new Speaker();
    speaker.next(fleet('closed'), true);
    expect(speaker.next(fleet('closed'), false)).toBe('');
    expect(speaker.next(fleet('open'), true)).toBe('The connection is back. 1 breaker opened');
  });

  it('stays one sentence for a storm of a thousand', () => {
    const speaker = new Speaker();
    speaker.next(many('closed'), true);
    expect(speaker.next(many('open'), true)).toBe('1000 breakers opened');
  });
});
