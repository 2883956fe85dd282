import type { CommandPreview } from '@/lib/protocol/command-views';
import type { CommandScope, PreviewCommandBody } from '@/lib/protocol/commands';
import type { BreakerView } from '@/lib/protocol/views';
import type { Kind } from './kinds';

export type Row = Pick<
  BreakerView,
  'id' | 'name' | 'service' | 'serviceId' | 'environment' | 'target'
>;
export type ScopeKind = CommandScope['kind'];

export const SCOPES: readonly { value: ScopeKind; label: string }[] = [
  { value: 'breaker', label: 'This breaker' },
  { value: 'instances', label: 'Instances' },
  { value: 'service', label: 'Whole service' },
  { value: 'target', label: 'Whole target' },
];

/** Null while no instance is chosen. */
export function scopeOf(
  row: Row,
  kind: ScopeKind,
  instanceIds: readonly string[],
): CommandScope | null {
  switch (kind) {
    case 'breaker':
      return { kind, breakerId: row.id };
    case 'instances':
      return instanceIds.length === 0
        ? null
        : { kind, breakerId: row.id, instanceIds: instanceIds.toSorted() };
    case 'service':
      return { kind, serviceId: row.serviceId };
    default:
      return { kind, environment: row.environment, target: row.target };
  }
}

/** What has to be typed before anything of this reach is sent. */
export function nameToType(row: Row, kind: ScopeKind): string {
  if (kind === 'service') return row.service;
  return kind === 'target' ? row.target : row.name;
}

export const isName = (typed: string, name: string): boolean =>
  typed.trim().normalize() === name.trim().normalize();

export function reachWords(row: Row, kind: ScopeKind, instances: number): string {
  switch (kind) {
    case 'breaker':
      return row.name;
    case 'instances':
      return `${row.name} on ${instances === 1 ? '1 instance' : `${instances} instances`}`;
    case 'service':
      return `every breaker of ${row.service}`;
    default:
      return `every breaker to ${row.target}`;
  }
}

/** The same for a command whose scope has ids only; names come from what it hit. */
export function scopeWords(
  scope: CommandScope,
  known: { readonly breaker?: string; readonly service?: string } = {},
): string {
  switch (scope.kind) {
    case 'breaker':
      return known.breaker ?? 'one breaker';
    case 'instances': {
      const count = scope.instanceIds.length;
      const where = known.breaker ?? 'one breaker';
      return `${where} on ${count === 1 ? '1 instance' : `${count} instances`}`;
    }
    case 'service':
      return known.service === undefined
        ? 'every breaker of one service'
        : `every breaker of ${known.service}`;
    default:
      return `every breaker to ${scope.target}`;
  }
}

/** New ones start closed anyway, and chosen instances stay as chosen. */
export const mayIncludeNew = (kind: Kind, scope: ScopeKind): boolean =>
  kind !== 'reset' && scope !== 'instances';

const keyOf = (scope: CommandScope): string => {
  switch (scope.kind) {
    case 'breaker':
      return `breaker ${scope.breakerId}`;
    case 'instances':
      return `instances ${scope.breakerId} ${scope.instanceIds.toSorted().join(' ')}`;
    case 'service':
      return `service ${scope.serviceId}`;
    default:
      return `target ${JSON.stringify([scope.environment, scope.target])}`;
  }
};

type Act = Pick<PreviewCommandBody, 'scope' | 'kind' | 'includeNew'>;

/** Whether a preview is of what is asked for now, whatever its lease. */
export const isOf = (preview: CommandPreview, { scope, kind, includeNew }: Act): boolean =>
  preview.kind === kind &&
  preview.includeNew === includeNew &&
  keyOf(preview.scope) === keyOf(scope);
