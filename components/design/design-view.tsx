'use client';

import { useServerNow } from '@/lib/client/use-live';
import { Page, Section } from '../shell/page';
import { ChartsSection } from './charts-section';
import { ControlsSection } from './controls-section';
import styles from './design.module.css';
import { EmptySection } from './empty-section';
import { FindingsSection } from './findings-section';
import { FleetSection } from './fleet-section';
import { ServicesSection } from './services-section';
import { StatesSection } from './states-section';
import { WaysSection } from './ways-section';

/** Every component in every state, from fixtures; for review, screenshots and the axe run. */
export function DesignView() {
  const now = useServerNow();
  return (
    <Page title="Design" description="Every component in every state. Nothing here is live.">
      {now === null ? null : (
        <div className={styles.sections}>
          <StatesSection />
          <FleetSection now={now} />
          <ControlsSection now={now} />
          <WaysSection now={now} />
          <ServicesSection now={now} />
          <FindingsSection now={now} />
          <ChartsSection now={now} />
          <Section title="Empty states">
            <EmptySection />
          </Section>
        </div>
      )}
    </Page>
  );
}
