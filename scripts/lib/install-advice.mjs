/** What to do about a failed install, judged by npm's output. The first that fits wins. */
const ADVICE = [
  [
    /find Python|not found: make|make: (not found|command not found)|g\+\+: (not found|No such)|no C\+\+ compiler|MSBuild|xcode-select|spawn make ENOENT/i,
    'better-sqlite3 had to be compiled and a tool is missing. Install python3, make and g++\n' +
      '(Debian: apt-get install -y python3 make g++; macOS: xcode-select --install) and run again.',
  ],
  [
    /nodejs\.org.*(ENOTFOUND|ECONNREFUSED|ETIMEDOUT|40[34])|(getaddrinfo|connect).*nodejs\.org/i,
    'The headers of Node could not be fetched. Set npm_config_nodedir to a folder that holds\n' +
      'include/node/node.h and run again.',
  ],
  [/ENOSPC/, 'The disk is full. About 600 MB are needed.'],
  [/EACCES|EPERM/, 'This user may not write to the folder.'],
  [
    /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ECONNRESET|EAI_AGAIN|network/i,
    'The package registry cannot be reached. Check the connection, or npm config get registry.',
  ],
  [
    /can only install packages when your package\.json and package-lock\.json/,
    'package.json and package-lock.json disagree. Run npm install once and commit the lock file.',
  ],
];

export function installAdvice(output) {
  const match = ADVICE.find(([pattern]) => pattern.test(output));
  return match ? match[1] : 'Run npm ci by hand to see more.';
}
