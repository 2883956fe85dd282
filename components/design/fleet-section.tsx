import { useState } from 'react';
import { BreakerCard } from '../fleet/card';
import { RowCells } from '../fleet/cells';
import { FailureBar, LatencyAgainst, RampMeter } from '../fleet/meters';
import { toggleState, type StateFilter } from '../fleet/filter';
import { GridRow, RowGroup } from '../fleet/grid';
import rowStyles from '../fleet/row.module.css';
import { SparkDefs } from '../fleet/sparkline';
import { SummaryStrip } from '../fleet/summary-strip';
import { Section } from '../shell/page';
import { rollUpFreshness } from '../state';
import { everyState } from './breaker-fixtures';
import styles from './design.module.css';

const SUMMARY = {
  total: 132,
  open: 2,
  recovering: 2,
  forced: 2,
  stale: 2,
  refusedPerSecond: 340,
  callsPerSecond: 5_284,
};
const CALM = { ...SUMMARY, open: 0, recovering: 0, forced: 0, stale: 0, refusedPerSecond: 0 };
const SHARES = [0, 0.1, 0.3, 0.6, 1];

function Meters() {
  return (
    <div className={styles.row}>
      {SHARES.slice(1).map((share, step) => (
        <RampMeter key={share} step={step} steps={4} share={share} hold={step === 2} />
      ))}
      {SHARES.map((share) => (
        <span key={share} className={styles.meter}>
          <FailureBar share={share} threshold={0.5} />
        </span>
      ))}
      <span className={styles.meter}>
        <LatencyAgainst p95={1_840} baseline={80} />
      </span>
      <span className={styles.meter}>
        <LatencyAgainst p95={null} baseline={80} />
      </span>
    </div>
  );
}

export function FleetSection({ now }: { now: number }) {
  const [start] = useState(now);
  const [chosen, setChosen] = useState<readonly StateFilter[]>(['recovering']);
  const choose = (state: StateFilter) => setChosen((before) => toggleState(before, state));
  const rows = everyState(start);
  return (
    <Section title="Fleet">
      <SparkDefs />
      <SummaryStrip summary={SUMMARY} chosen={chosen} onChoose={choose} />
      <SummaryStrip label="A calm fleet" summary={CALM} chosen={[]} onChoose={choose} />
      <Meters />
      <div className={styles.scroll}>
        <div role="grid" aria-label="Rows in every state" className={styles.grid} tabIndex={0}>
          <RowGroup>
            {rows.map((row, index) => (
              <GridRow
                key={row.id}
                index={index + 1}
                className={rowStyles.row}
                data-state={row.state}
                data-fresh={rollUpFreshness(row.instances)}
                style={{ position: 'relative', height: 40 }}
              >
                <RowCells row={row} />
              </GridRow>
            ))}
          </RowGroup>
        </div>
      </div>
      <div role="grid" aria-label="Cards in every state" className={styles.cards} tabIndex={0}>
        <RowGroup>
          {rows.map((row, index) => (
            <GridRow
              key={row.id}
              index={index + 1}
              className={rowStyles.cardRow}
              data-state={row.state}
              data-fresh={rollUpFreshness(row.instances)}
              style={{ position: 'relative' }}
            >
              <BreakerCard row={row} />
            </GridRow>
          ))}
        </RowGroup>
      </div>
    </Section>
  );
}
