import { formatDuration, formatLatency, formatShare } from '@/components/ui/format';

type Plain = Readonly<Record<string, unknown>>;

export type ConfigLine = { readonly path: string; readonly label: string; readonly value: string };
export type ConfigGroup = { readonly title: string; readonly lines: readonly ConfigLine[] };

const GROUPS: readonly { readonly title: string; readonly keys: readonly string[] }[] = [
  { title: 'Window and trip', keys: ['window', 'trip', 'slowMs', 'normalErrorRate', 'mode'] },
  { title: 'Open time', keys: ['open'] },
  { title: 'Recovery', keys: ['recovery'] },
  {
    title: 'Calls',
    keys: ['callTimeoutMs', 'probeTimeoutFraction', 'permitGraceMs', 'cancelledCountsAsSlow'],
  },
];

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** "holdMultiple" is "hold multiple"; the unit goes from the name to the value. */
function labelOf(key: string): string {
  return key
    .replace(/Ms$/, '')
    .replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim();
}

const SHARES = /(share|rate|fraction|jitter|threshold|low|high|steps)$/i;

function durationText(ms: number): string {
  if (ms === 0) return '0 ms';
  return ms < 1_000 ? formatLatency(ms) : formatDuration(ms);
}

function scalar(key: string, value: unknown): string {
  if (typeof value === 'number') {
    if (key.endsWith('Ms')) return durationText(value);
    if (SHARES.test(key) && value <= 1) return formatShare(value);
    return /multiple|factor|multiplier/i.test(key) ? `×${value}` : String(value);
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value.replaceAll('_', ' ') : JSON.stringify(value);
}

/** A policy as one line: "ratio: rate 50 %, minimum calls 20". */
function policy(value: Plain): string {
  const { kind, ...rest } = value;
  const parts = Object.entries(rest).map(([key, item]) => `${labelOf(key)} ${scalar(key, item)}`);
  const head = typeof kind === 'string' ? kind.replaceAll('_', ' ') : '';
  return [head, parts.join(', ')].filter((part) => part !== '').join(': ');
}

function listText(key: string, value: readonly unknown[]): string {
  const [first] = value;
  if (value.length > 1 && !isPlain(first) && value.every((item) => item === first)) {
    return `${scalar(key, first)} each step`;
  }
  return value
    .map((item) => (isPlain(item) ? policy(item) : scalar(key, item)))
    .join(value.some(isPlain) ? '; ' : ' → ');
}

function linesOf(path: string, key: string, value: unknown): ConfigLine[] {
  if (Array.isArray(value)) return [{ path, label: labelOf(key), value: listText(key, value) }];
  if (!isPlain(value)) return [{ path, label: labelOf(key), value: scalar(key, value) }];
  return Object.entries(value).flatMap(([child, item]) => {
    const lines = linesOf(`${path}.${child}`, child, item);
    const nested = key === 'latency' || key === 'admission' || key === 'decision';
    return nested
      ? lines.map((line) => ({ ...line, label: `${labelOf(key)} ${line.label}` }))
      : lines;
  });
}

/** The effective options in groups, with units; what no group knows comes last. */
export function configGroups(config: Plain): ConfigGroup[] {
  const known = new Set(GROUPS.flatMap((group) => group.keys));
  const rest = Object.keys(config).filter((key) => !known.has(key));
  return [...GROUPS, { title: 'Other', keys: rest }]
    .map(({ title, keys }) => ({
      title,
      lines: keys.flatMap((key) => (key in config ? linesOf(key, key, config[key]) : [])),
    }))
    .filter((group) => group.lines.length > 0);
}

export type Drift = {
  readonly path: string;
  readonly label: string;
  /** One value per configuration, in their order; null where the option is not there. */
  readonly values: readonly (string | null)[];
};

/** The options in which the configurations do not agree. */
export function configDrift(configs: readonly Plain[]): Drift[] {
  const all = configs.map(
    (config) =>
      new Map(configGroups(config).flatMap((g) => g.lines.map((line) => [line.path, line]))),
  );
  const paths = new Set(all.flatMap((lines) => [...lines.keys()]));
  return [...paths].flatMap((path) => {
    const values = all.map((lines) => lines.get(path)?.value ?? null);
    if (new Set(values).size < 2) return [];
    const label = all.flatMap((lines) => lines.get(path)?.label ?? [])[0] ?? path;
    return [{ path, label, values }];
  });
}
