'use client';

import { Lock } from 'lucide-react';
import type { BreakerView } from '@/lib/protocol/views';
import { Chip } from '../ui/chip';
import { formatInstant } from '../ui/format';
import { useZone } from '../ui/zone-context';
import { Countdown } from '../ui/time';

type Mark = NonNullable<BreakerView['override']>;

const WORDS: Record<Mark['kind'], string> = {
  force_open: 'Force open',
  force_closed: 'Force closed',
  reset: 'Reset',
};

/** What an operator wants now, who, and for how long; whether it is applied, the state says. */
export function OverrideChip({ override }: { override: Mark }) {
  const zone = useZone();
  return (
    <Chip
      tone={override.kind === 'force_closed' ? 'forced' : 'open'}
      icon={<Lock size={11} aria-hidden="true" />}
      title={`${WORDS[override.kind]} by ${override.actor} until ${formatInstant(override.endsAt, zone)}`}
    >
      <span className="visually-hidden">{WORDS[override.kind]} by </span>
      {override.actor} · <Countdown to={override.endsAt} />
    </Chip>
  );
}
