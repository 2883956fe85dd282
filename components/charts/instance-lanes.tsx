import { useState } from 'react';
import { isState, StateText } from '@/components/state';
import { Button } from '@/components/ui/button';
import { laneWeight, stateAt, type Lane } from '@/lib/series/bands';
import { holdsOf, stepsOf } from '@/lib/series/lane-marks';
import { BandStrip } from './band-strip';
import { bandWord } from './band-words';
import { ChartFrame } from './chart-frame';
import { useReading } from './legend';
import { Overlay } from './overlay';
import { leftOf, placed } from './percent';
import { useStack } from './stack-context';
import { lanesTable } from './tables';
import { useWidth } from './use-width';
import styles from './instance-lanes.module.css';

/** More lanes than this push what follows out of sight; the others are one click away. */
const FEW = 8;

/** The lanes with the most trouble, in the order of names. */
function worstFew(lanes: readonly Lane[]): readonly Lane[] {
  const worst = [...lanes].sort((a, b) => laneWeight(b) - laneWeight(a)).slice(0, FEW);
  const shown = new Set(worst);
  return lanes.filter((lane) => shown.has(lane));
}

function LaneMarks({ lane }: { lane: Lane }) {
  const { domain, events, holds } = useStack().model;
  return (
    <>
      {stepsOf(events, lane.instanceId, domain).map((step) => (
        <i
          key={step.id}
          className={styles.step}
          data-export="box"
          style={{ left: leftOf(domain, step.at) }}
          title={`Step ${step.step + 1}`}
        />
      ))}
      {holdsOf(holds, lane.instanceId).map((hold) => {
        const place = placed(domain, hold);
        return place === null ? null : (
          <i
            key={hold.from}
            className={styles.hold}
            data-export="box"
            style={{ left: place.left, width: place.width }}
          />
        );
      })}
    </>
  );
}

type RowProps = { lane: Lane; onInstance: ((instanceId: string) => void) | undefined };

function LaneRow({ lane, onInstance }: RowProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const reading = useReading();
  const state = stateAt(lane.bands, reading.at);
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        {onInstance === undefined ? (
          <span className={styles.name} data-export="text">
            {lane.instance}
          </span>
        ) : (
          <button
            type="button"
            className={styles.name}
            data-export="text"
            title={`Show the charts of ${lane.instance} alone`}
            onClick={() => onInstance(lane.instanceId)}
          >
            {lane.instance}
          </button>
        )}
        <span className={styles.state}>
          {isState(state) ? <StateText state={state} /> : bandWord(state)}
        </span>
      </div>
      <div ref={ref} className={styles.strip} data-export="box">
        <BandStrip bands={lane.bands} width={width} />
        <LaneMarks lane={lane} />
        <Overlay />
      </div>
    </li>
  );
}

/** Which instance was in which state, on the same axis and with the same cursor as the charts. */
export function InstanceLanes({ onInstance }: { onInstance?: (instanceId: string) => void }) {
  const { model, geometry, zone } = useStack();
  const [all, setAll] = useState(false);
  const { lanes } = model;
  if (lanes.length < 2) return null;
  const shown = all ? lanes : worstFew(lanes);
  return (
    <ChartFrame
      id="instances"
      title="Instances"
      unit="state over time"
      label="The state of each instance over time"
      table={() => lanesTable(model, zone)}
    >
      <ol
        className={styles.lanes}
        style={{ paddingLeft: geometry.left, paddingRight: geometry.right }}
      >
        {shown.map((lane) => (
          <LaneRow key={lane.instanceId} lane={lane} onInstance={onInstance} />
        ))}
      </ol>
      {lanes.length > FEW && (
        <div className={styles.more} style={{ paddingLeft: geometry.left }}>
          <Button size="small" kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Only the ${FEW} with the most trouble` : `All ${lanes.length} instances`}
          </Button>
        </div>
      )}
    </ChartFrame>
  );
}
