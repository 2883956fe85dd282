import { core } from './explained-core.mjs';

/**
 * Survivors of Stryker's that no test can tell from the original, or that none should. An entry
 * covers the mutants whose source line matches `code` and that meet each of `file`, `mutator` and
 * `to` (their replacement) that it names. They still count against the score.
 */
const explained = [
  ...core,
  {
    why: 'The types leave no other value; the branch is there for the compiler and for callers without types.',
    code: /^\s*default:|unreachable\(/,
  },
  { why: 'See `default:`: nothing gets here.', file: 'unreachable.ts', code: /./ },
  {
    why: 'An index within bounds has a value; the compiler cannot know it.',
    mutator: 'ConditionalExpression',
    to: /^false$/,
    code: /(age|bucket|rule|oldest|entry|member) === undefined/,
  },
  {
    why: 'An index within bounds has a value; the compiler cannot know it.',
    mutator: 'ConditionalExpression',
    to: /^true$/,
    code: /(age|bucket|rule|oldest|entry) !== undefined/,
  },
  {
    why: 'One round more finds no entry, and the line below skips it.',
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
    mutator: 'ArithmeticOperator',
    file: 'window.ts',
    code: /\(bits & FAILURE\) \* sign/,
  },
  {
    why: 'Whoever reads the slot takes nothing for 0.',
    mutator: 'ArrowFunction',
    file: 'window.ts',
    code: /this\.slow = Array\.from/,
  },
  {
    why: 'A short cut: the long way comes to the same totals.',
    to: /^false$/,
    file: 'window.ts',
    code: /bits === 0|bits < SLOW/,
  },
  {
    why: 'A short cut: turning to the bucket that is current finds nothing to clear.',
    to: /^true$|index >= this/,
    file: 'window.ts',
    code: /index > this\.#latest/,
  },
  {
    why: 'It begins earlier and clears buckets twice: the second time they are empty.',
    to: /index - size - 1/,
    file: 'window.ts',
    code: /index - size \+ 1/,
  },
  {
    why: '`marked` decides only whether a judgement may be skipped; any number but 0 is one.',
    mutator: 'AssignmentOperator',
    file: 'window.ts',
    code: /this\.marked [+-]=/,
  },
  {
    why: 'A short cut: the policies are asked and none holds.',
    to: /^false$|^\{\}$/,
    file: 'rules.ts',
    code: /isQuiet|marked === 0/,
  },
  {
    why: 'A short cut: the rule asks all limits and none is reached.',
    to: /^false$/,
    file: 'rules.ts',
    code: /latencyMs < book\.lowestSlowMs/,
  },
  {
    why: 'The short way of a closed breaker and the long one book the same; `steady.test.ts` compares them.',
    to: /^false$|^\{\}$|steady !== null/,
    file: 'steady.ts',
    code: /isSteady|steady !== null/,
  },
  {
    why: 'Always the long way: it books the same.',
    to: /^true$|^""$/,
    file: 'settle.ts',
    code: /outcome !== 'success' \|\||permit\.phase !== 'out' \|\|/,
  },
  {
    why: '`nextDue` may be early, never late: an earlier look finds nothing due.',
    to: /^true$|<=|now - |^-?Infinity|Math\.min/,
    file: 'steady.ts',
    code: /dueAt/,
  },
  {
    why: '`nextDue` may be early, never late: an earlier look finds nothing due.',
    to: /Math\.max|^true$/,
    code: /quietUntil > target/,
  },
  {
    why: 'The listener is removed at the end of the call anyway.',
    code: /\{ once: true \}/,
  },
  {
    why: 'Settlements are told to nobody.',
    file: 'settle.ts',
    to: /^false$/,
    code: /core\.settlements\.length === 0/,
  },
  {
    why: 'Reading again what has not changed gives the same.',
    file: 'baseline.ts',
    to: /^true$/,
    code: /this\.#known === undefined/,
  },
  {
    why: 'Without a known class no latency is kept, so that there is none to read.',
    file: 'latency.ts',
    to: /^false$|baseline === null && /,
    code: /baseline === null \|\| ledger\.latency === null/,
  },
  {
    why: 'Of two equal quantiles either is the smaller one.',
    file: 'latency.ts',
    to: /own <= supported/,
    code: /own < supported/,
  },
  {
    why: 'An open breaker has nobody under way, so that no age is ever reached.',
    mutator: 'ArrayDeclaration',
    code: /flights: new Flights\(\[\]\)/,
  },
  {
    why: 'Only an adaptive admission has a top; without one no share is below it.',
    file: 'adaptive.ts',
    to: /^true$/,
    code: /admission\.kind === 'adaptive' && ledger\.share < top/,
  },
  {
    why: 'Reviewing again what has not changed says nothing.',
    file: 'fleet.ts',
    to: /^true$/,
    code: /this\.#moving\) this\.review|settlement\.probe\) this\.#moving/,
  },
  {
    why: 'A short cut: below the gap the comparison says no as well.',
    file: 'fleet.ts',
    to: /^false$|own\.failures < own/,
    code: /own\.failures <= own\.calls/,
  },
  {
    why: 'Nothing is pushed after the end; it only lets go of the listeners.',
    file: 'announcer.ts',
    to: /^\{\}$/,
    code: /close\(\): void/,
  },
  {
    why: 'It is taken out at the construction, before anybody can listen.',
    file: 'announcer.ts',
    mutator: 'ArrayDeclaration',
    code: /#waiting/,
  },
  {
    why: 'The first turn of the window writes every slot.',
    file: 'outliers.ts',
    mutator: 'ArrayDeclaration',
    code: /readonly #(calls|failures): number\[\]/,
  },
  {
    why: 'A short cut: without limits nobody is suspect, and what is quiet has nothing due.',
    file: 'fleet.ts',
    to: /^false$/,
    code: /limits === null|quietUntil > target/,
  },
  {
    why: 'Where endpoints are compared each has its rates; below the gap the comparison says no as well.',
    file: 'fleet.ts',
    code: /member\.rates\?\.totals|own === undefined \|\| own\.failures/,
  },
  {
    why: 'A new one has no calls, and so is no outlier however often it is looked at.',
    file: 'member.ts',
    code: /^\s*suspect = false;/,
  },
  {
    why: 'Nobody looks at the rates where endpoints are not compared.',
    file: 'member.ts',
    to: /^false$/,
    code: /windowMs === null/,
  },
  {
    why: 'They differ: the line asks that first.',
    file: 'member.ts',
    to: />=/,
    code: /mine\.(step|successes) > theirs/,
  },
  {
    why: 'Other slots, still one for each bucket.',
    file: 'outliers.ts',
    to: /\* BUCKETS/,
    code: /% BUCKETS\) \+ BUCKETS\) % BUCKETS/,
  },
  {
    why: 'In panic only a good answer is told from the others.',
    file: 'permits.ts',
    mutator: 'StringLiteral',
    code: /this\.#settle\('(cancelled|ignored)'\)/,
  },
  {
    why: 'A key of undefined is no key.',
    file: 'picker.ts',
    to: /^false$/,
    code: /key === undefined/,
  },
  {
    why: 'Only a signal that is there calls it.',
    file: 'call.ts',
    mutator: 'OptionalChaining',
    code: /stop\(signal\?\.reason/,
  },
  {
    why: 'Only a Redis server runs it; `sharing-stores.test.ts` starts one where the machine has it.',
    file: 'redis-store.ts',
    to: /^``$/,
    code: /const (ENTRY|READ|COMPARE_AND_SET|ANNOUNCE|WITHDRAW) = /,
  },
  {
    why: 'While nothing is agreed nobody asks who wrote it, and each write names its own writer.',
    file: 'shared-record.ts',
    code: /^\s*by: '',/,
  },
  {
    why: 'Each turn begins by setting it.',
    file: 'sharing.ts',
    code: /^\s*#again = false;/,
    to: /^true$/,
  },
  {
    why: 'The constructor starts the first timer; the compiler cannot know it.',
    file: 'sharing.ts',
    mutator: 'OptionalChaining',
    code: /this\.#timer\?\.cancel/,
  },
  {
    why: 'Counted downwards the names differ just as well.',
    file: 'sharing.ts',
    mutator: 'UpdateOperator',
    code: /\+\+this\.#openings/,
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
