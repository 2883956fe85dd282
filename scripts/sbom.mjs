/**
 * [S-40] `npm run sbom`: writes dist/sbom.cdx.json (CycloneDX), what a release consists of with the
 * hash of each package, from the lockfile alone.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib/paths.mjs';

const FILE = 'dist/sbom.cdx.json';
// Not `--omit dev`: npm then leaves out what tools and product have in common, zod for one.
const ARGS = ['--sbom-format', 'cyclonedx', '--package-lock-only', '--offline'];

/** `name@version` of everything that is not there for the tools alone. */
function shipped() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const entries = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  return new Set(
    entries.map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`),
  );
}

function withoutTools(text) {
  const { components, dependencies, ...rest } = JSON.parse(text);
  const keep = shipped();
  const kept = components.filter((one) => keep.has(one['bom-ref'].split('|')[0]));
  const refs = new Set([rest.metadata.component['bom-ref'], ...kept.map((one) => one['bom-ref'])]);
  const edges = dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) }));
  return { ...rest, components: kept, dependencies: edges };
}

const { status, stdout, stderr } = spawnSync('npm', ['sbom', ...ARGS], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (status !== 0) {
  console.error(`npm sbom failed (npm 10 or newer is needed):\n${stderr}`);
  process.exitCode = 1;
} else {
  const list = withoutTools(stdout);
  mkdirSync(join(root, dirname(FILE)), { recursive: true });
  writeFileSync(join(root, FILE), `${JSON.stringify(list, null, 2)}\n`);
  console.log(`${FILE}: ${list.components.length} packages`);
}
