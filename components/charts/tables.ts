import { csvOf } from '@/lib/protocol/csv';
import { admittedShare } from '@/lib/series/ramp';
import {
  formatDuration,
  formatInstant,
  formatLatency,
  formatRate,
  formatShare,
  NONE,
} from '@/components/ui/format';
import { bandWord } from './band-words';
import type { ChartModel } from './model';

export type DataTable = {
  readonly columns: readonly string[];
  /** Newest first; the first cell names the row. */
  readonly rows: readonly (readonly string[])[];
  /** How many rows the range really has. */
  readonly total: number;
  /** All rows, oldest first: instants in UTC, shares as fractions, times in milliseconds. */
  readonly csv: () => string;
  /** The rows that are shown, with tabs, for a spreadsheet or a ticket. */
  readonly text: () => string;
};

type Raw = string | number | null;
type Column<T> = {
  readonly label: string;
  readonly show: (item: T, zone: string) => string;
  /** Name and value in a file; the name carries the unit. */
  readonly name: string;
  readonly raw: (item: T) => Raw;
};

/** A page that is read, not a dump; the file has the rest. */
const MAX_ROWS = 300;

const rawText = (value: Raw) => (value === null ? '' : String(value));

function tableOf<T>(
  items: readonly T[],
  columns: readonly Column<T>[],
  zone: string | undefined,
): DataTable {
  const labels = columns.map(({ label }) => label);
  const rows = items
    .slice(-MAX_ROWS)
    .toReversed()
    .map((item) => columns.map(({ show }) => show(item, zone ?? 'UTC')));
  return {
    columns: labels,
    rows,
    total: items.length,
    csv: () =>
      [
        csvOf(columns.map(({ name }) => name)),
        ...items.map((item) => csvOf(columns.map(({ raw }) => rawText(raw(item))))),
      ].join(''),
    text: () => [labels, ...rows].map((row) => row.join('\t')).join('\n'),
  };
}

function instant<T>(label: string, name: string, read: (item: T) => number): Column<T> {
  return {
    label,
    name,
    show: (item, zone) => formatInstant(read(item), zone),
    raw: (item) => new Date(read(item)).toISOString(),
  };
}

function duration<T>(label: string, name: string, read: (item: T) => number): Column<T> {
  return { label, name, show: (item) => formatDuration(read(item)), raw: read };
}

function word<T>(label: string, name: string, read: (item: T) => string): Column<T> {
  return { label, name, show: read, raw: read };
}

const stepColumn = {
  label: 'Step',
  name: 'step',
  show: ({ step }: { step: number | null }) => (step === null ? NONE : String(step + 1)),
  raw: ({ step }: { step: number | null }) => step && step + 1,
};

type Point = ChartModel['points'][number];
const RAMP: readonly Column<Point & { perSecond: number }>[] = [
  instant('Time', 'time', (point) => point.at),
  {
    label: 'Allowed',
    name: 'allowed_share',
    show: ({ share }) => formatShare(share),
    raw: ({ share }) => share,
  },
  {
    label: 'Admitted',
    name: 'admitted_share',
    show: (point) => formatShare(admittedShare(point)),
    raw: admittedShare,
  },
  {
    label: 'Refused',
    name: 'refused_per_second',
    show: ({ perSecond }) => `${formatRate(perSecond)} /s`,
    raw: ({ perSecond }) => perSecond,
  },
  stepColumn,
  {
    label: 'Instances',
    name: 'instances',
    show: ({ instances }) => String(instances),
    raw: ({ instances }) => instances,
  },
];

export function rampTable({ points, resolutionMs }: ChartModel, zone?: string): DataTable {
  const items = points.map((point) => ({
    ...point,
    perSecond: point.refused / (resolutionMs / 1_000),
  }));
  return tableOf(items, RAMP, zone);
}

const PROBES: readonly Column<ChartModel['probes'][number] & { instance: string }>[] = [
  instant('Time', 'time', (probe) => probe.at),
  word('Outcome', 'outcome', ({ outcome }) => outcome.replaceAll('_', ' ')),
  {
    label: 'Latency',
    name: 'latency_ms',
    show: ({ latencyMs }) => formatLatency(latencyMs),
    raw: ({ latencyMs }) => latencyMs,
  },
  stepColumn,
  word('Instance', 'instance', ({ instance }) => instance),
];

export function latencyTable({ probes, lanes }: ChartModel, zone?: string): DataTable {
  const names = new Map(lanes.map(({ instanceId, instance }) => [instanceId, instance]));
  const items = probes.map((probe) => ({
    ...probe,
    instance: names.get(probe.instanceId) ?? probe.instanceId,
  }));
  return tableOf(items, PROBES, zone);
}

const OPENINGS: readonly Column<ChartModel['openings'][number]>[] = [
  instant('Opened', 'opened_at', (one) => one.openedAt),
  duration('Wait', 'open_timeout_ms', (one) => one.timeoutMs),
  { label: 'Level', name: 'level', show: ({ level }) => String(level), raw: ({ level }) => level },
  instant('Next probe from', 'retry_at', (one) => one.retryAt),
  {
    label: 'Stayed open',
    name: 'stayed_open_ms',
    show: ({ endedAt, openedAt }) =>
      endedAt === null ? 'still open' : formatDuration(endedAt - openedAt),
    raw: ({ endedAt, openedAt }) => endedAt && endedAt - openedAt,
  },
  word('Instance', 'instance', ({ instance }) => instance),
];

export const backoffTable = ({ openings }: ChartModel, zone?: string): DataTable =>
  tableOf(openings, OPENINGS, zone);

type Stay = ChartModel['bands'][number] & { readonly instance: string };
const STAYS: readonly Column<Stay>[] = [
  instant('From', 'from', (stay) => stay.from),
  word('Instance', 'instance', ({ instance }) => instance),
  { ...word<Stay>('State', 'state', ({ state }) => bandWord(state)), raw: ({ state }) => state },
  duration('For', 'duration_ms', (stay) => Math.round(stay.to - stay.from)),
  instant('To', 'to', (stay) => stay.to),
];

export function lanesTable({ lanes }: ChartModel, zone?: string): DataTable {
  const stays = lanes
    .flatMap(({ instance, bands }) => bands.map((band) => ({ ...band, instance })))
    .sort((a, b) => a.from - b.from);
  return tableOf(stays, STAYS, zone);
}
