import type { BreakerInstanceView } from '../protocol/views';
import { mergeLatency } from './latency';
import { perSecond, shareOf } from './rate-window';
import type { Part } from './roll-up';

export function instanceRow(
  identity: Pick<BreakerInstanceView, 'breakerId' | 'instanceId' | 'instance' | 'host'>,
  part: Part,
): BreakerInstanceView {
  const { word, rates } = part;
  const { state } = word;
  const { override } = state;
  return {
    ...identity,
    liveness: part.liveness,
    state: state.state,
    automatic: state.automatic,
    step: state.step,
    steps: state.steps,
    share: state.share,
    hold: state.hold === true,
    level: state.level,
    retryAt: word.retryAt,
    openTimeoutMs: state.openTimeoutMs ?? null,
    inFlight: state.inFlight,
    override:
      override === undefined
        ? null
        : { id: override.id, kind: override.kind, endsAt: word.overrideEndsAt },
    since: word.since,
    asOf: word.asOf,
    callsPerSecond: perSecond(rates.admitted),
    refusedPerSecond: perSecond(rates.refused),
    failureShare: shareOf(rates.failures, rates.judged),
    latencyP95Ms: mergeLatency(rates.latency, [0.95]).quantiles[0] ?? null,
    configHash: state.configHash,
  };
}
