import type { BreakerStatus, OverrideKind } from '../../breaker/types';
import type { ReportedState } from '../../protocol/breaker-state';
import { plainText, wireCount, wireFraction, wireMs } from '../text';

type Override = NonNullable<ReportedState['override']>;

const WIRE_KIND: Record<OverrideKind, Override['kind']> = {
  forced_open: 'force_open',
  forced_closed: 'force_closed',
  metrics_only: 'metrics_only',
  disabled: 'disabled',
};

function reportOverride(override: NonNullable<BreakerStatus['override']>): Override {
  const { remainingMs } = override;
  return {
    id: plainText(override.id, 64) || 'local',
    kind: WIRE_KIND[override.kind],
    ...(remainingMs === null ? {} : { remainingMs: wireMs(remainingMs) }),
  };
}

export function reportState(
  identity: { readonly name: string; readonly target: string; readonly configHash: string },
  status: BreakerStatus,
): ReportedState {
  const { retryInMs, openTimeoutMs, override } = status;
  return {
    breaker: identity.name,
    target: identity.target,
    state: status.state,
    automatic: status.automatic,
    step: status.step === null ? null : wireCount(status.step),
    steps: wireCount(status.steps),
    share: wireFraction(status.share),
    level: wireCount(status.level),
    ...(status.hold === null ? {} : { hold: true }),
    ...(retryInMs === null ? {} : { retryInMs: wireMs(retryInMs) }),
    ...(openTimeoutMs === null ? {} : { openTimeoutMs: wireMs(openTimeoutMs) }),
    inFlight: wireCount(status.inFlight),
    ...(override === null ? {} : { override: reportOverride(override) }),
    configHash: identity.configHash,
    breakerEpoch: wireCount(status.epoch),
  };
}
