'use client';

import { useBreakerList, useConnection } from '@/lib/client/use-live';
import { useEffect, useRef, useState } from 'react';
import { Speaker, SPEAK_EVERY_MS } from './speaker';
import { statesOf, type States } from './changes-text';

/** One polite sentence at most every ten seconds, for people who listen. [U-31] */
export function Announcer() {
  const list = useBreakerList();
  const { status } = useConnection();
  const latest = useRef<States>(new Map());
  const isLive = useRef(false);
  const [sentence, setSentence] = useState('');

  useEffect(() => {
    latest.current = statesOf(list);
    isLive.current = status === 'live';
  }, [list, status]);

  useEffect(() => {
    const speaker = new Speaker();
    const timer = setInterval(() => {
      setSentence(speaker.next(latest.current, isLive.current));
    }, SPEAK_EVERY_MS);
    return () => clearInterval(timer);
  }, []);

  return (
    <div className="visually-hidden" aria-live="polite">
      {sentence}
    </div>
  );
}
