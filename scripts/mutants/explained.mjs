/**
 * Survivors of Stryker's that no test can tell from the original, or that none should. An entry
 * covers the mutants whose source matches `code`, in `file` or everywhere, and where given only
 * those of one mutator or with one replacement. They still count against the score.
 */
const explained = [
  {
    why: 'The types leave no other value; the branch is there for the compiler and for callers without types.',
    code: /^\s*default:|unreachable\(/,
  },
  { why: 'See `default:`: nothing gets here.', file: 'unreachable.ts', code: /./ },
  {
    why: 'An index within bounds has a value; the compiler cannot know it.',
    code: /(age|bucket|rule|oldest|entry) [!=]== undefined/,
  },
  {
    why: 'One round more finds no entry, and the line above skips it.',
    to: /<= .*\.length/,
    code: /for \(let \w+ = 0; \w+ < .*\.length/,
  },
  {
    why: 'A text for people; tests go by the option and the reason in it.',
    mutator: 'StringLiteral',
    file: 'machine.ts',
    code: /when: /,
  },
  {
    why: 'A sign is 1 or -1: dividing by it is multiplying with it.',
    file: 'window.ts',
    code: /\(bits & FAILURE\) \* sign/,
  },
  {
    why: 'A short cut: the long way comes to the same totals.',
    file: 'window.ts',
    code: /bits === 0|bits < SLOW|index > this\.#latest|index - size \+ 1|length: thresholds/,
  },
  {
    why: '`marked` decides only whether a judgement may be skipped; judging more often changes nothing.',
    file: 'window.ts',
    code: /this\.marked/,
  },
  {
    why: '`nextDue` may be early, never late: an earlier look finds nothing due.',
    code: /dueAt|soonestMs|firstAgeMs/,
  },
  {
    why: 'A cache of what permits of one kind share; another entry holds the same values.',
    file: 'acquire.ts',
    code: /origin\.(role|lifeMs|step) === /,
  },
  {
    why: 'The listener is removed at the end of the call anyway.',
    code: /\{ once: true \}/,
  },
  {
    why: 'Exactly at the boundary both ways give the same number.',
    code: /Math\.(min|max)\(/,
    mutator: 'EqualityOperator',
  },
];

/** Why this mutant may live; null when nobody has said so. */
export function explain(file, source, { location, mutatorName, replacement = '' }) {
  const { start, end } = location;
  const text = source
    .split('\n')
    .slice(start.line - 1, end.line)
    .join('\n');
  const entry = explained.find(
    (one) =>
      (one.file === undefined || file.endsWith(`/${one.file}`)) &&
      (one.mutator === undefined || one.mutator === mutatorName) &&
      (one.to === undefined || one.to.test(replacement)) &&
      one.code.test(text),
  );
  return entry?.why ?? null;
}
