/** An option that the breaker refuses. Says which, what it got and what it accepts. */
export class BreakerOptionError extends RangeError {
  readonly option: string;

  constructor(option: string, got: unknown, accepts: string) {
    super(`Circuit breaker option "${option}" is ${describe(got)}; it accepts ${accepts}.`);
    this.name = 'BreakerOptionError';
    this.option = option;
  }
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (value === undefined) return 'undefined';
  try {
    return JSON.stringify(value) ?? typeof value;
  } catch {
    return typeof value;
  }
}

export type NumberRule = {
  readonly min: number;
  readonly max?: number;
  /** The minimum itself is refused. */
  readonly above?: boolean;
  readonly integer?: boolean;
};

export function checkNumber(option: string, got: unknown, rule: NumberRule): number {
  const { min, max = Number.MAX_SAFE_INTEGER, above = false, integer = false } = rule;
  const valid =
    typeof got === 'number' &&
    Number.isFinite(got) &&
    (above ? got > min : got >= min) &&
    got <= max &&
    (!integer || Number.isInteger(got));
  if (!valid) throw new BreakerOptionError(option, got, words(got, rule));
  return got;
}

function words(got: unknown, rule: NumberRule): string {
  const { min, above = false, integer = false } = rule;
  // The largest whole number is worth a word only to whoever went beyond it.
  const absurd = typeof got === 'number' && Number.isFinite(got) && got > Number.MAX_SAFE_INTEGER;
  const max = rule.max ?? (absurd ? Number.MAX_SAFE_INTEGER : undefined);
  const kind = integer ? 'a whole number' : 'a finite number';
  const low = above ? `above ${min}` : `of at least ${min}`;
  return max === undefined ? `${kind} ${low}` : `${kind} ${low} and at most ${max}`;
}

export const duration: NumberRule = { min: 0 };
/** Far below what any clock here can tell, far above where sums with an uptime stand still. */
export const period: NumberRule = { min: 0.001 };
/** What `setTimeout` can wait for: 24.8 days. Beyond it hosts fire at once. */
export const timerSpan = { min: 0, max: 2 ** 31 - 1 } as const satisfies NumberRule;
export const fraction: NumberRule = { min: 0, max: 1 };
/** At least one basis point. */
export const share: NumberRule = { min: 0.0001, max: 1 };
export const atLeastOne: NumberRule = { min: 1, integer: true };
export const wholeNumber: NumberRule = { min: 0, integer: true };

export function checkChoice<T extends string>(
  option: string,
  got: unknown,
  choices: readonly T[],
): T {
  const found = choices.find((choice) => choice === got);
  if (found === undefined) {
    throw new BreakerOptionError(option, got, choices.map((c) => `'${c}'`).join(', '));
  }
  return found;
}

export function checkFlag(option: string, got: unknown): boolean {
  if (typeof got !== 'boolean') throw new BreakerOptionError(option, got, 'true or false');
  return got;
}

export function checkFunction<T>(option: string, got: T): T {
  if (typeof got !== 'function') throw new BreakerOptionError(option, got, 'a function');
  return got;
}

/** A misspelt option would otherwise be ignored in silence. */
export function checkKeys(option: string, got: unknown, known: readonly string[]): void {
  if (typeof got !== 'object' || got === null || Array.isArray(got)) {
    throw new BreakerOptionError(option, got, 'an object');
  }
  for (const key of Object.keys(got)) {
    if (!known.includes(key)) {
      throw new BreakerOptionError(
        `${option}.${key}`,
        Reflect.get(got, key),
        `only ${known.join(', ')}`,
      );
    }
  }
}

/** One value for every step, or a list whose last value repeats. */
export function checkPerStep(
  option: string,
  got: number | readonly number[],
  steps: number,
  rule: NumberRule,
): readonly number[] {
  const list: readonly number[] = typeof got === 'number' ? [got] : got;
  if (!Array.isArray(list) || list.length === 0) {
    throw new BreakerOptionError(option, got, 'a number or a list of numbers');
  }
  return Array.from({ length: steps }, (_, i) => {
    const at = Math.min(i, list.length - 1);
    return checkNumber(Array.isArray(got) ? `${option}[${at}]` : option, list[at], rule);
  });
}

export function basisPoints(rate: number): number {
  return Math.round(rate * 10_000);
}
