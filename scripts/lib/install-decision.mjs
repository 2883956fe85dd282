/**
 * Why dependencies must be installed, or null. `installed` is npm's own record of what it put into
 * node_modules; it is the last file that an install writes, so without it the install broke off.
 *
 * A lock file that is newer than the record is not reason enough: a fresh checkout of the same
 * lock is newer too, and an install takes a minute. Then the versions decide.
 */
export function installReason({ hasModules, installedAt, lockedAt, installed, locked }) {
  if (!hasModules) return 'node_modules is missing';
  if (installed === null) return 'the last install did not finish';
  if (installedAt >= lockedAt) return null;
  const different = firstDifference(installed, locked);
  return different === null ? null : `${different} changed in package-lock.json`;
}

function firstDifference(installed, locked) {
  for (const [path, wanted] of Object.entries(locked.packages ?? {})) {
    if (path === '') continue;
    const found = installed.packages?.[path];
    // An optional package for another platform is in the lock and rightly not on the disk.
    if (found === undefined && wanted.optional) continue;
    if (found?.version !== wanted.version || found?.integrity !== wanted.integrity) {
      return path.replace(/^.*node_modules\//, '');
    }
  }
  return null;
}
