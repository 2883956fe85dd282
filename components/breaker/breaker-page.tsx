'use client';

import { useMemo } from 'react';
import { isActive } from '@/components/override/kinds';
import { ActiveStrip } from '@/components/override/active-strip';
import { OverrideActions } from '@/components/override/actions';
import { FindingsPanel } from '@/components/diagnosis/findings-panel';
import { usePagePlace } from '@/components/shell/page-place';
import { usePageTitle } from '@/components/shell/page-title';
import { useConnection, useServerNow } from '@/lib/client/use-live';
import type { BreakerBody } from '@/lib/protocol/api';
import type { BreakerView } from '@/lib/protocol/views';
import type { ChartInput } from '@/components/charts/model';
import { ChartsPane } from './charts-pane';
import { ConfigPanel } from './config-panel';
import { Header } from './header';
import { InstanceTable } from './instance-table';
import type { LiveDetail } from './live-detail';
import { Panel } from './panel';
import { RecoveryPanel } from './recovery-panel';
import { inputAt, rowAt } from './replay';
import { ReplayBar } from './replay-bar';
import { Runbook } from './runbook';
import { runbookFacts, type RunbookFacts } from './runbook-facts';
import { StepTable } from './step-table';
import { Toolbar } from './toolbar';
import { Transitions } from './transitions';
import { VerdictLine } from './verdict-line';
import { useChartInput } from './use-chart-input';
import { linkTo, useLook, type Look } from './use-look';
import { useReplay } from './use-replay';
import styles from './breaker-page.module.css';

type Props = { body: BreakerBody; detail: LiveDetail };

type ViewProps = Pick<BreakerBody, 'instances'> & {
  look: Look;
  onReplay: (() => void) | null;
};

function ViewToolbar({ look, instances, onReplay }: ViewProps) {
  return (
    <Toolbar
      onReplay={onReplay}
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

function InForce({ body }: Pick<Props, 'body'>) {
  const { breaker, instances, overrides } = body;
  const active = overrides.find(isActive);
  return active && <ActiveStrip row={breaker} override={active} instances={instances} />;
}

/** What is only known of now; a replay leaves it out. */
function Present({ body, detail, look }: Props & { look: Look }) {
  const { breaker, instances } = body;
  return (
    <>
      <FindingsPanel breakerId={breaker.id} />
      <Panel title="Instances" aside="as they report themselves">
        <InstanceTable instances={instances} />
      </Panel>
      <Transitions breakerId={breaker.id} instance={look.view.instance} live={detail.events} />
    </>
  );
}

const ActionsOff = () => <span className={styles.off}>No actions in a replay</span>;

/** The charts and the row of now, or of the moment of a replay. */
function useShown(row: BreakerView, whole: ChartInput | null, at: number | null) {
  return useMemo(() => {
    if (whole === null || at === null) return { input: whole, shown: row };
    const input = inputAt(whole, at);
    return { input, shown: rowAt(row, input) };
  }, [row, whole, at]);
}

export function BreakerPage({ body, detail }: Props) {
  const { breaker: row, instances, configs } = body;
  usePageTitle(`${row.name} · ${row.environment}`);
  usePagePlace(row.environment, row.service);
  const look = useLook(useServerNow() ?? body.now);
  const chart = useChartInput({ body, detail, ...look });
  const { replay, start } = useReplay(look.view.past);
  const at = replay === null ? null : replay.at;
  const { input, shown } = useShown(row, chart.input, at);
  const facts = useMemo(() => input && runbookFacts(input), [input]);
  return (
    <div className={styles.page}>
      {replay && <ReplayBar replay={replay} />}
      <Header
        row={shown}
        actions={replay === null ? <OverrideActions row={row} /> : <ActionsOff />}
      />
      {replay === null && <InForce body={body} />}
      <ViewToolbar
        look={look}
        instances={instances}
        onReplay={replay === null ? () => start(look.view.at) : null}
      />
      <div className={styles.columns}>
        <div className={styles.main}>
          <Charts {...chart} input={input} look={look} row={row} />
          <RampSteps facts={facts} instances={instances} />
          {replay === null && <Present body={body} detail={detail} look={look} />}
        </div>
        <div className={styles.side}>
          {facts && <Runbook row={shown} facts={facts} />}
          {facts && <RecoveryPanel facts={facts} />}
          <ConfigPanel configs={configs} instances={instances} />
        </div>
      </div>
    </div>
  );
}
