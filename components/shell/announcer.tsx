'use client';

import { useBreakerList } from '@/lib/client/use-live';
import { useEffect, useRef, useState } from 'react';
import { describeChanges, statesOf, type States } from './changes-text';

const EVERY_MS = 10_000;

/** One polite sentence at most every ten seconds, for people who listen. */
export function Announcer() {
  const list = useBreakerList();
  const latest = useRef<States>(new Map());
  const [sentence, setSentence] = useState('');

  useEffect(() => {
    latest.current = statesOf(list);
  }, [list]);

  useEffect(() => {
    let said: States | null = null;
    const timer = setInterval(() => {
      const now = latest.current;
      // The first full picture is the page itself, not news.
      if (said !== null && said.size > 0) setSentence(describeChanges(said, now));
      said = now;
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className="visually-hidden" aria-live="polite">
      {sentence}
    </div>
  );
}
