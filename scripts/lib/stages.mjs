import { tool } from './npm.mjs';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} title
 * @property {[command: string, args: string[]]} command
 * @property {number} limitMs
 * @property {boolean} [vitest] It reports its own tests.
 * @property {boolean} [browser] It drives Chromium.
 * @property {string} [needs]
 */

const vitest = (project) => ({
  vitest: true,
  command: tool('vitest/vitest.mjs', 'run', '--project', project),
});

/**
 * In this order: cheap ones first. `needs` names a stage without which this one says nothing.
 * The limits are there for a hang, not for a slow machine.
 * @type {readonly Stage[]}
 */
export const STAGES = [
  { name: 'format', title: 'Format', command: tool('oxfmt/bin/oxfmt', '--check', '.') },
  {
    name: 'lint',
    title: 'Lint',
    command: tool('oxlint/bin/oxlint', '--type-aware', '--deny-warnings'),
  },
  { name: 'types', title: 'Types', command: tool('typescript/bin/tsc', '--noEmit') },
  {
    name: 'boundaries',
    title: 'Boundaries: who may import whom',
    command: [process.execPath, ['scripts/boundaries.mjs']],
  },
  { name: 'deadcode', title: 'Dead code', command: tool('knip/bin/knip.js') },
  {
    name: 'lockfile',
    title: 'Lockfile: in step, hashed, without addresses',
    command: [process.execPath, ['scripts/check-lockfile.mjs']],
  },
  {
    name: 'migrations',
    title: 'Migrations: sound, and the schema says nothing new',
    command: [process.execPath, ['scripts/check-migrations.mjs']],
  },
  {
    name: 'build',
    title: 'Build',
    command: [process.execPath, ['scripts/build.mjs']],
    limitMs: 5 * MINUTE,
  },
  { name: 'unit', title: 'Unit, property and integration tests', ...vitest('unit') },
  {
    name: 'faults',
    title: 'Fault tests: killed, cut off, full disk',
    ...vitest('faults'),
    needs: 'build',
  },
  {
    name: 'browser',
    title: 'Browser tests',
    ...vitest('e2e'),
    needs: 'build',
    browser: true,
  },
].map((stage) => ({ limitMs: stage.vitest ? 18 * MINUTE : 2 * MINUTE, ...stage }));

/**
 * The named stages in their usual order; all of them without names.
 * @param {readonly string[]} names
 */
export function chooseStages(names) {
  const unknown = names.find((name) => !STAGES.some((stage) => stage.name === name));
  if (unknown !== undefined) {
    const known = STAGES.map((stage) => stage.name).join(', ');
    throw new RangeError(`There is no stage "${unknown}". Stages: ${known}.`);
  }
  return names.length === 0 ? STAGES : STAGES.filter((stage) => names.includes(stage.name));
}
