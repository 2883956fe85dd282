/**
 * [S-40] What `package-lock.json` must be, checked without a network: in step with `package.json`,
 * every package pinned by a hash, no address at all (which registry is a matter of the machine), no
 * script that runs at the installation unless it was allowed by name.
 */
const KINDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const sorted = (record = {}) =>
  JSON.stringify(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Where Node would find it, seen from a package; undefined when nowhere. */
function found(packages, from, name) {
  const parts = from.split('/node_modules/');
  for (let count = parts.length; count > 0; count -= 1) {
    const entry = packages[`${parts.slice(0, count).join('/node_modules/')}/node_modules/${name}`];
    if (entry !== undefined) return entry;
  }
  return packages[`node_modules/${name}`];
}

/** Of the two files against each other. */
function stale(manifest, { packages }) {
  const root = packages[''] ?? {};
  const problems = [...KINDS, 'engines'].flatMap((kind) =>
    sorted(manifest[kind]) === sorted(root[kind]) ? [] : [`${kind} differ from package.json`],
  );
  for (const kind of KINDS) {
    for (const [name, range] of Object.entries(manifest[kind] ?? {})) {
      const { version } = packages[`node_modules/${name}`] ?? {};
      if (version === undefined) problems.push(`${name} is missing`);
      else if (EXACT.test(range) && version !== range) {
        problems.push(`${name} is ${version}, but package.json says ${range}`);
      }
    }
  }
  return problems;
}

function entryProblems(packages, path, entry, allowed) {
  const problems = [];
  const { integrity, resolved, version, hasInstallScript, link } = entry;
  if (link === true) problems.push('is a link');
  if (!/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')) problems.push('has no SHA-512');
  if (resolved !== undefined) {
    problems.push(
      `comes from ${resolved.slice(0, 80)}: no addresses, see npm config omit-lockfile-registry-resolved`,
    );
  }
  if (!EXACT.test(version ?? '')) problems.push('has no exact version');
  if (hasInstallScript === true && allowed[nameOf(path)] !== true) {
    problems.push('runs a script at the installation, which package.json does not allow');
  }
  for (const name of Object.keys(entry.dependencies ?? {})) {
    if (found(packages, path, name) === undefined) problems.push(`needs ${name}, which is missing`);
  }
  return problems.map((problem) => `${path} ${problem}`);
}

/**
 * @param {Record<string, any>} manifest package.json
 * @param {Record<string, any>} lock package-lock.json
 * @returns {string[]} what is wrong, empty when nothing is
 */
export function lockProblems(manifest, lock) {
  if (lock.lockfileVersion !== 3) return [`lockfileVersion is ${lock.lockfileVersion}, not 3`];
  const allowed = manifest.allowScripts ?? {};
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  return [
    ...stale(manifest, lock),
    ...entries.flatMap(([path, entry]) => entryProblems(lock.packages, path, entry, allowed)),
  ];
}

/**
 * Of what is installed, which may be less than is locked (other platforms), but never other.
 * @param {Record<string, any>} lock
 * @param {Record<string, any>} installed node_modules/.package-lock.json
 * @returns {string[]}
 */
export function installedProblems(lock, installed) {
  return Object.entries(installed.packages).flatMap(([path, { version, integrity }]) => {
    const locked = lock.packages[path];
    return locked?.version === version && locked?.integrity === integrity
      ? []
      : [`${path} is installed as ${version}, which is not what is locked`];
  });
}
