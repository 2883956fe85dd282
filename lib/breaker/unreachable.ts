/** The compiler proves that no case is missing; at run time only untyped callers get here. */
export function unreachable(value: never): never {
  throw new TypeError(`Unknown kind ${JSON.stringify(value)}`);
}
