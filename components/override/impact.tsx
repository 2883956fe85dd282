import { Callout } from '@/components/ui/callout';
import { Chip } from '@/components/ui/chip';
import { formatCount, formatInstant, formatRate } from '@/components/ui/format';
import type { ReactNode } from 'react';
import type { CommandPreview } from '@/lib/protocol/command-views';
import { KINDS } from './kinds';
import { computedText, consequence, endsWords, reachText, RISKS } from './preview-words';
import { useZone } from '@/components/ui/zone-context';
import styles from './override.module.css';

/** More than these are counted, not listed. */
const LISTED = 6;

function Fact({ name, tone, children }: { name: string; tone?: 'open'; children: ReactNode }) {
  return (
    <div {...(tone === undefined ? {} : { 'data-tone': tone })}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Lines({ lines }: { lines: readonly { key: string; text: string }[] }) {
  return (
    <>
      {lines.slice(0, LISTED).map(({ key, text }) => (
        <span key={key} className={styles.line}>
          {text}
        </span>
      ))}
      {lines.length > LISTED && (
        <span className={styles.line}>and {formatCount(lines.length - LISTED)} more</span>
      )}
    </>
  );
}

function Breakers({ breakers }: Pick<CommandPreview, 'breakers'>) {
  const one = breakers.length === 1;
  return (
    <Fact name={one ? 'Now' : `${breakers.length} breakers`}>
      <Lines
        lines={breakers.map((item) => ({
          key: item.breakerId,
          text: one
            ? computedText(item)
            : `${item.service} / ${item.name}: ${computedText(item)}, ${formatRate(item.callsPerSecond)} calls/s`,
        }))}
      />
    </Fact>
  );
}

function Neighbours({ callers, callees }: Pick<CommandPreview, 'callers' | 'callees'>) {
  return (
    <>
      <Fact name="Called by">
        {callers.length === 0
          ? 'No service that reports here'
          : callers.map(({ service }) => service).join(', ')}
      </Fact>
      <Fact name="Calls">{callees.map(({ target }) => target).join(', ')}</Fact>
    </>
  );
}

function Others({ preview }: { preview: CommandPreview }) {
  const zone = useZone();
  const { willRefuse, activeOverrides, doubled } = preview;
  return (
    <>
      {willRefuse.length > 0 && (
        <Fact name="Will refuse" tone="open">
          <Lines
            lines={willRefuse.map((one) => ({
              key: `${one.breakerId} ${one.instanceId}`,
              text: `${one.instance}: ${one.why}`,
            }))}
          />
        </Fact>
      )}
      {doubled.length > 0 && (
        <Fact name="Claimed twice" tone="open">
          Two processes call themselves {doubled.map(({ instance }) => instance).join(', ')}. Choose
          the instances by name.
        </Fact>
      )}
      {activeOverrides.length > 0 && (
        <Fact name="Already in force">
          <Lines
            lines={activeOverrides.map((one) => ({
              key: one.id,
              text: `${one.breaker}: ${KINDS[one.kind].done.toLowerCase()} by ${one.actor} until ${formatInstant(one.endsAt, zone)}: “${one.reason}”`,
            }))}
          />
        </Fact>
      )}
    </>
  );
}

/** What it will hit, counted by the server a moment ago. [U-22] */
export function Impact({ preview }: { preview: CommandPreview }) {
  const { kind, instances, risk, needs } = preview;
  const { title, body, danger } = consequence(kind, preview);
  const asks = [
    ...(needs.stepUp ? ['a fresh proof that it is you'] : []),
    ...(needs.secondPerson ? ['a second person'] : []),
  ];
  return (
    <div className={styles.impact}>
      <Callout
        tone={danger ? (kind === 'force_closed' ? 'warning' : 'danger') : 'info'}
        title={title}
      >
        {body}
      </Callout>
      <dl className={styles.facts}>
        <Fact name="Instances">
          {reachText(instances)}
          {instances.stale + instances.offline > 0 &&
            '; those that are not heard get it only if they come back within 30 s'}
        </Fact>
        <Breakers breakers={preview.breakers} />
        <Neighbours {...preview} />
        <Others preview={preview} />
        <Fact name="What ends it">{endsWords(kind, preview.ends)}</Fact>
        <Fact name="Risk">
          <Chip tone={risk === 'L3' ? 'forced' : 'neutral'}>{RISKS[risk]}</Chip>{' '}
          {asks.length > 0 && `asks for ${asks.join(' and ')}`}
        </Fact>
      </dl>
    </div>
  );
}
