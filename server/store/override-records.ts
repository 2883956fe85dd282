import type { CommandKind } from '@/lib/protocol/breaker-state';
import type { ReleaseOutcome } from '@/lib/protocol/commands';
import type { DeliveryState } from '@/lib/protocol/views';

export type OverrideTargetRecord = {
  readonly instanceId: string;
  readonly delivery: DeliveryState;
  readonly reason: string | null;
  readonly updatedAt: number;
  /** Until when it may be applied here, where that is not the override's own limit. */
  readonly deliverBy: number | null;
  /** The change of the lease that the instance counts by. */
  readonly leaseRevision: number;
  /** When it was let go here before the override itself ended. */
  readonly releasedAt: number | null;
  readonly releaseOutcome: ReleaseOutcome | null;
};

export type OverrideRecord = {
  readonly id: string;
  readonly breakerId: string;
  readonly kind: CommandKind;
  readonly generation: number;
  readonly reason: string;
  readonly actor: string;
  readonly createdAt: number;
  readonly deliverBy: number;
  readonly leaseMs: number;
  readonly endsAt: number;
  readonly endedAt: number | null;
  readonly endReason: string | null;
  readonly endedBy: string | null;
  readonly commandId: string | null;
  readonly includeNew: boolean;
  /** Grows with each change of the lease. */
  readonly leaseRevision: number;
  readonly targets: readonly OverrideTargetRecord[];
};
