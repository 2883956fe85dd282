import { PaletteRow } from '../palette/row';
import { breakerItems, serviceItems, targetItems, verbItems, type Item } from '../palette/items';
import { HealthBannerView } from '../shell/health-banner';
import { PausedBannerView } from '../shell/pause';
import { Section } from '../shell/page';
import { STATES_WORST_FIRST, StateBadge, StateText } from '../state';
import { Callout } from '../ui/callout';
import { Kbd } from '../ui/kbd';
import { everyState } from './breaker-fixtures';
import styles from './design.module.css';
import { serviceFixtures } from './fixtures';

const REASONS = [
  'the store is damaged; read only',
  'the store does not take writes',
  'the second audit sink does not take rows',
];

function Banners({ now }: { now: number }) {
  return (
    <>
      <PausedBannerView at={now - 95_000} now={now} news="" />
      <PausedBannerView at={now - 95_000} now={now} news="2 breakers opened, 1 breaker recovered" />
      <HealthBannerView health={{ status: 'starting', reason: null }} />
      {REASONS.map((reason) => (
        <HealthBannerView key={reason} health={{ status: 'degraded', reason }} />
      ))}
    </>
  );
}

function PaletteRows({ now }: { now: number }) {
  const rows = everyState(now);
  const items: Item[] = [
    ...breakerItems(rows.slice(0, 3)),
    ...targetItems(rows.slice(0, 1)),
    ...serviceItems(serviceFixtures(now).slice(0, 1)),
    ...verbItems(null),
  ];
  return (
    <ul>
      {items.map((item) => (
        <li key={item.id} className={styles.row}>
          <PaletteRow item={item} />
        </li>
      ))}
    </ul>
  );
}

/** The wall theme on its own ground: every state across the room. */
function Wall() {
  return (
    <div data-theme="wall" className={styles.wall}>
      {STATES_WORST_FIRST.map((state) => (
        <div key={state} className={styles.row}>
          <StateBadge state={state} size="large" />
          <StateText state={state} />
          <StateText state={state} freshness="stale" />
        </div>
      ))}
    </div>
  );
}

export function WaysSection({ now }: { now: number }) {
  return (
    <>
      <Section title="Banners">
        <Banners now={now} />
      </Section>
      <Section title="Palette and keys">
        <PaletteRows now={now} />
        <div className={styles.row}>
          <Kbd caps={['Ctrl', 'K']} />
          <Kbd caps={['g', 'f']} />
          <Kbd caps={['?']} />
        </div>
        <Callout tone="danger" title="It was not done">
          Somebody has ended this override already.
        </Callout>
      </Section>
      <Section title="Wall theme">
        <Wall />
      </Section>
    </>
  );
}
