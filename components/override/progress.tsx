import { Check, CircleAlert, Clock, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { StateText } from '@/components/state';
import { formatDuration } from '@/components/ui/format';
import { Table, Td, Th } from '@/components/ui/table';
import type { OverrideTargetView, OverrideView } from '@/lib/protocol/views';
import { KINDS } from './kinds';
import {
  agrees,
  deliveryTone,
  deliveryWord,
  progressText,
  type DeliveryTone,
} from './progress-words';
import styles from './progress.module.css';

const ICONS: Record<DeliveryTone, ReactNode> = {
  ok: <Check size={13} aria-hidden="true" />,
  wait: <Clock size={13} aria-hidden="true" />,
  bad: <CircleAlert size={13} aria-hidden="true" />,
  off: <Minus size={13} aria-hidden="true" />,
};

function Delivery({ target }: { target: OverrideTargetView }) {
  const tone = deliveryTone(target.delivery);
  const offline = target.liveness === 'offline' && tone === 'wait';
  return (
    <span className={styles.delivery} data-tone={offline ? 'off' : tone}>
      {ICONS[offline ? 'off' : tone]}
      {offline ? 'Offline' : deliveryWord(target.delivery)}
    </span>
  );
}

function Row({ override, target }: { override: OverrideView; target: OverrideTargetView }) {
  const agreed = agrees(override, target);
  return (
    <tr>
      <Td className={styles.name}>{target.instance}</Td>
      <Td>
        <Delivery target={target} />
        {target.reason !== null && <span className={styles.why}>{target.reason}</span>}
      </Td>
      <Td>
        <StateText state={KINDS[override.kind].target} />
      </Td>
      <Td>
        {target.reportedState === null ? (
          <span className={styles.none}>Nothing yet</span>
        ) : (
          <StateText state={target.reportedState} freshness={target.liveness} />
        )}
        {agreed === false && <b className={styles.differs}>not as requested</b>}
      </Td>
      <Td numeric>{formatDuration(Math.max(0, target.updatedAt - override.createdAt))}</Td>
    </tr>
  );
}

const inOrder = (targets: readonly OverrideTargetView[]) =>
  targets.toSorted((a, b) => a.instance.localeCompare(b.instance, 'en', { numeric: true }));

/** What was asked and what each instance says, side by side. */
export function ProgressTable({ override }: { override: OverrideView }) {
  return (
    <Table className={styles.table} aria-label="Progress per instance">
      <thead>
        <tr>
          <Th>Instance</Th>
          <Th>Delivery</Th>
          <Th>Requested</Th>
          <Th>Reported</Th>
          <Th numeric>After</Th>
        </tr>
      </thead>
      <tbody>
        {inOrder(override.targets).map((target) => (
          <Row key={target.instanceId} override={override} target={target} />
        ))}
      </tbody>
    </Table>
  );
}

/** One table for one breaker; for many, one below the other, with the failed ones unfolded. */
export function GroupProgress({
  overrides,
  renderBelow,
}: {
  overrides: readonly OverrideView[];
  /** What can be done about the failed ones of one breaker among several. */
  renderBelow?: (override: OverrideView) => ReactNode;
}) {
  const [first] = overrides;
  if (first !== undefined && overrides.length === 1) return <ProgressTable override={first} />;
  return (
    <div className={styles.group}>
      {overrides.map((one) => (
        <details
          key={one.id}
          className={styles.breaker}
          open={one.targets.some((target) => deliveryTone(target.delivery) === 'bad')}
        >
          <summary>
            <b>
              {one.service} / {one.breaker}
            </b>{' '}
            <span className={styles.none}>{progressText(one)}</span>
          </summary>
          <ProgressTable override={one} />
          {renderBelow?.(one)}
        </details>
      ))}
    </div>
  );
}
