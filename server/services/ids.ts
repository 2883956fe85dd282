import type { ServiceDeps } from './deps';

const HASH_DIGITS = 24;

/** Lengths go first, so that no two lists of parts give the same text. */
function joined(parts: readonly string[]): string {
  return parts.map((part) => `${part.length}:${part}`).join('');
}

/**
 * Ids of what agents name are made from the names: the same after a restart, after a restore and on
 * every node, without asking the store.
 */
export function createIds({ hash, random }: Pick<ServiceDeps, 'hash' | 'random'>) {
  const derive = (prefix: string, parts: readonly string[]): string =>
    `${prefix}_${hash(joined([prefix, ...parts])).slice(0, HASH_DIGITS)}`;
  const draw = (bytes: number): string => Buffer.from(random(bytes)).toString('hex');
  return {
    service: (environment: string, service: string) => derive('svc', [environment, service]),
    breaker: (environment: string, service: string, breaker: string) =>
      derive('br', [environment, service, breaker]),
    instance: (environment: string, service: string, instance: string) =>
      derive('ins', [environment, service, instance]),
    override: () => `ovr_${draw(12)}`,
    command: () => `cmd_${draw(12)}`,
    release: () => `rel_${draw(12)}`,
    review: () => `rev_${draw(12)}`,
    person: () => `usr_${draw(12)}`,
    code: () => `code_${draw(12)}`,
    stepUp: () => `stp_${draw(12)}`,
    token: () => `tok_${draw(12)}`,
    apiToken: () => `key_${draw(12)}`,
    session: () => `ses_${draw(12)}`,
    serverEpoch: () => draw(16),
  };
}

export type Ids = ReturnType<typeof createIds>;
