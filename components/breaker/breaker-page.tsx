'use client';

import { useCallback, useMemo, useState } from 'react';
import { isActive } from '@/components/override/kinds';
import { ActiveStrip } from '@/components/override/active-strip';
import { OverrideActions } from '@/components/override/actions';
import { usePageTitle } from '@/components/shell/page-title';
import { useConnection, useServerNow } from '@/lib/client/use-live';
import type { BreakerBody } from '@/lib/protocol/api';
import type { TimeDomain } from '@/lib/series/types';
import { ChartsPane } from './charts-pane';
import { ConfigPanel } from './config-panel';
import { Header } from './header';
import { InstanceTable } from './instance-table';
import type { LiveDetail } from './live-detail';
import { Panel } from './panel';
import { RecoveryPanel } from './recovery-panel';
import { Runbook } from './runbook';
import { runbookFacts } from './runbook-facts';
import { StepTable } from './step-table';
import { Toolbar } from './toolbar';
import { Transitions } from './transitions';
import { useChartInput } from './use-chart-input';
import { useView } from './use-range';
import styles from './breaker-page.module.css';

type Props = { body: BreakerBody; detail: LiveDetail };

/** Range, instance, pause: what is looked at. */
function useLook(serverNow: number) {
  const { view, change } = useView();
  const [paused, setPaused] = useState<number | null>(null);
  const [latencyScale, setScale] = useState<'log' | 'linear'>('log');
  const zoom = useCallback((past: TimeDomain) => change({ past }), [change]);
  const reset = useCallback(() => change({ past: null }), [change]);
  return {
    view,
    zoom,
    reset,
    now: paused ?? serverNow,
    paused,
    latencyScale,
    setScale,
    change,
    pause: () => setPaused((before) => (before === null ? serverNow : null)),
    resume: () => setPaused(null),
  };
}

export function BreakerPage({ body, detail }: Props) {
  const { breaker: row, instances, configs, overrides } = body;
  usePageTitle(row.name);
  const look = useLook(useServerNow() ?? body.now);
  const { view, change } = look;
  const connection = useConnection();
  const { input, query } = useChartInput({ body, detail, ...look });
  const facts = useMemo(() => input && runbookFacts(input), [input]);
  const active = overrides.find(isActive);
  const shownOn = facts?.shown && instances.find((i) => i.instanceId === facts.shown?.instanceId);
  return (
    <div className={styles.page}>
      <Header row={row} actions={<OverrideActions row={row} />} />
      {active && <ActiveStrip row={row} override={active} instances={instances} />}
      <Toolbar
        view={view}
        instances={instances}
        paused={look.paused}
        latencyScale={look.latencyScale}
        onSpan={(range) => {
          look.resume();
          change({ range, past: null });
        }}
        onInstance={(instance) => change({ instance })}
        onPause={look.pause}
        onLive={look.reset}
        onScale={look.setScale}
      />
      <div className={styles.columns}>
        <div className={styles.main}>
          <ChartsPane
            input={input}
            query={query}
            stale={connection.status === 'stale' || connection.status === 'offline'}
            onZoom={look.zoom}
            onReset={look.reset}
          />
          {facts?.steps && (
            <Panel
              title="Ramp steps"
              aside={shownOn ? `latest attempt, ${shownOn.instance}` : 'no attempt in this range'}
            >
              <StepTable rows={facts.steps} />
            </Panel>
          )}
          <Panel title="Instances" aside="as they report themselves">
            <InstanceTable instances={instances} />
          </Panel>
          <Transitions breakerId={row.id} instance={view.instance} live={detail.events} />
        </div>
        <div className={styles.side}>
          {facts && <Runbook row={row} facts={facts} />}
          {facts && <RecoveryPanel facts={facts} />}
          <ConfigPanel configs={configs} instances={instances} />
        </div>
      </div>
    </div>
  );
}
