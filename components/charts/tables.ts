import { admittedShare } from '@/lib/series/ramp';
import {
  formatDuration,
  formatInstant,
  formatLatency,
  formatRate,
  formatShare,
  NONE,
} from '@/components/ui/format';
import { bandWord } from './band-strip';
import type { ChartModel } from './model';

export type DataTable = {
  readonly columns: readonly string[];
  /** The first cell names the row. */
  readonly rows: readonly (readonly string[])[];
  /** How many rows the range really has. */
  readonly total: number;
};

/** A page that is read, not a dump; the export has the rest. */
const MAX_ROWS = 300;

function newestFirst<T>(
  items: readonly T[],
  row: (item: T) => string[],
  columns: string[],
): DataTable {
  return { columns, total: items.length, rows: items.slice(-MAX_ROWS).toReversed().map(row) };
}

export function rampTable({ points, resolutionMs }: ChartModel): DataTable {
  return newestFirst(
    points,
    (point) => [
      formatInstant(point.at),
      formatShare(point.share),
      formatShare(admittedShare(point)),
      `${formatRate(point.refused / (resolutionMs / 1_000))} /s`,
      point.step === null ? NONE : String(point.step + 1),
      String(point.instances),
    ],
    ['Time', 'Allowed', 'Admitted', 'Refused', 'Step', 'Instances'],
  );
}

export function latencyTable({ probes }: ChartModel): DataTable {
  return newestFirst(
    probes,
    (probe) => [
      formatInstant(probe.at),
      probe.outcome.replaceAll('_', ' '),
      formatLatency(probe.latencyMs),
      String(probe.step + 1),
    ],
    ['Time', 'Outcome', 'Latency', 'Step'],
  );
}

export function backoffTable({ openings }: ChartModel): DataTable {
  return newestFirst(
    openings,
    (one) => [
      formatInstant(one.openedAt),
      formatDuration(one.timeoutMs),
      String(one.level),
      formatInstant(one.retryAt),
      one.endedAt === null ? 'still open' : formatDuration(one.endedAt - one.openedAt),
      one.instance,
    ],
    ['Opened', 'Wait', 'Level', 'Next probe from', 'Stayed open', 'Instance'],
  );
}

export function lanesTable({ lanes }: ChartModel): DataTable {
  const stays = lanes
    .flatMap(({ instance, bands }) => bands.map((band) => ({ ...band, instance })))
    .sort((a, b) => a.from - b.from);
  return newestFirst(
    stays,
    (stay) => [
      formatInstant(stay.from),
      stay.instance,
      bandWord(stay.state),
      formatDuration(stay.to - stay.from),
      formatInstant(stay.to),
    ],
    ['From', 'Instance', 'State', 'For', 'To'],
  );
}
