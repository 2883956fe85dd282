/**
 * Survivors of Stryker's that no test can tell from the original, or that none should.
 * An entry covers the mutants of its `mutators` (all when left out) whose text matches `code`,
 * in `file` or everywhere.
 */
const explained = [];

/** Why this mutant may live; null when nobody has said so. */
export function explain(file, source, { location, mutatorName, replacement }) {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const text = lines.join('\n');
  const entry = explained.find(
    (candidate) =>
      (candidate.file === undefined || file.endsWith(candidate.file)) &&
      (candidate.mutators === undefined || candidate.mutators.includes(mutatorName)) &&
      (candidate.to === undefined || candidate.to.test(replacement ?? '')) &&
      candidate.code.test(text),
  );
  return entry?.why ?? null;
}
