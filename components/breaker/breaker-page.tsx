'use client';

import { useMemo } from 'react';
import { isActive } from '@/components/override/kinds';
import { ActiveStrip } from '@/components/override/active-strip';
import { OverrideActions } from '@/components/override/actions';
import { FindingsPanel } from '@/components/diagnosis/findings-panel';
import { usePageTitle } from '@/components/shell/page-title';
import { useConnection, useServerNow } from '@/lib/client/use-live';
import type { BreakerBody } from '@/lib/protocol/api';
import type { BreakerView } from '@/lib/protocol/views';
import { ChartsPane } from './charts-pane';
import { ConfigPanel } from './config-panel';
import { Header } from './header';
import { InstanceTable } from './instance-table';
import type { LiveDetail } from './live-detail';
import { Panel } from './panel';
import { RecoveryPanel } from './recovery-panel';
import { Runbook } from './runbook';
import { runbookFacts, type RunbookFacts } from './runbook-facts';
import { StepTable } from './step-table';
import { Toolbar } from './toolbar';
import { Transitions } from './transitions';
import { VerdictLine } from './verdict-line';
import { useChartInput } from './use-chart-input';
import { linkTo, useLook, type Look } from './use-look';
import styles from './breaker-page.module.css';

type Props = { body: BreakerBody; detail: LiveDetail };

type ViewProps = Pick<BreakerBody, 'instances'> & { look: Look };

function ViewToolbar({ look, instances }: ViewProps) {
  return (
    <Toolbar
      view={look.view}
      domain={look.domain}
      link={linkTo(look)}
      instances={instances}
      onSpan={look.live}
      onMove={look.move}
      onRange={look.zoom}
      onInstance={look.choose}
      onLive={look.reset}
      onScale={look.scale}
    />
  );
}

type ChartsProps = ReturnType<typeof useChartInput> & { look: Look; row: BreakerView };

function Charts({ input, query, look, row }: ChartsProps) {
  const { status } = useConnection();
  return (
    <ChartsPane
      input={input}
      query={query}
      subject={`${row.name}, ${row.service}, ${row.environment}`}
      stale={status === 'stale' || status === 'offline'}
      limits={look.limits}
      tables={look.view.tables}
      at={look.view.at}
      onZoom={look.zoom}
      onMoved={look.moved}
      onReset={look.reset}
      onTables={look.show}
      onPin={look.pin}
      onInstance={look.choose}
    />
  );
}

type StepsProps = Pick<BreakerBody, 'instances'> & { facts: RunbookFacts | null };

function RampSteps({ facts, instances }: StepsProps) {
  if (!facts?.steps) return null;
  const of = facts.shown && instances.find((i) => i.instanceId === facts.shown?.instanceId);
  return (
    <Panel
      title="Ramp steps"
      aside={of ? `latest attempt, ${of.instance}` : 'no attempt in this range'}
    >
      {facts.verdict && <VerdictLine verdict={facts.verdict} />}
      <StepTable rows={facts.steps} />
    </Panel>
  );
}

export function BreakerPage({ body, detail }: Props) {
  const { breaker: row, instances, configs, overrides } = body;
  usePageTitle(row.name);
  const look = useLook(useServerNow() ?? body.now);
  const chart = useChartInput({ body, detail, ...look });
  const facts = useMemo(() => chart.input && runbookFacts(chart.input), [chart.input]);
  const active = overrides.find(isActive);
  return (
    <div className={styles.page}>
      <Header row={row} actions={<OverrideActions row={row} />} />
      {active && <ActiveStrip row={row} override={active} instances={instances} />}
      <ViewToolbar look={look} instances={instances} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Charts {...chart} look={look} row={row} />
          <RampSteps facts={facts} instances={instances} />
          <FindingsPanel breakerId={row.id} />
          <Panel title="Instances" aside="as they report themselves">
            <InstanceTable instances={instances} />
          </Panel>
          <Transitions breakerId={row.id} instance={look.view.instance} live={detail.events} />
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
