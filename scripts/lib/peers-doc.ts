import { createRequire } from 'node:module';
import { libraryNames, type LibraryName } from '../../tests/breaker/peers/plan';
import { situations } from '../../tests/breaker/peers/situations';

const require = createRequire(import.meta.url);

function versionOf(name: LibraryName): string {
  if (name === 'recloser') return 'Recloser';
  const manifest: unknown = require(`${name}/package.json`);
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return name;
  return `${name} ${String(manifest.version)}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function link({ library, issue }: { library: string; issue: string }): string {
  return `${library} [${issue.slice(issue.indexOf('#'))}](https://github.com/${issue.replace('#', '/issues/')})`;
}

const intro = `# The same situations in other libraries

Made by \`node --import tsx scripts/docs.ts\` from \`tests/breaker/peers/situations.ts\`; do not edit. The
columns of libraries are not opinions: \`tests/breaker/peers.test.ts\` plays every situation on each of them and
compares. The last column names public reports about the same thing, also of libraries that are not run here;
some of them are closed since.

Unless a row says otherwise, all three trip at 50 % of the last ten calls (opossum: of the last 10 s) when
there were at least four, stay open for 10 s, recover by one good probe and give a call 30 s. State words are
those of Recloser. Errors are judged as each library does when it is told nothing but to ignore one class.
`;

/** The whole of docs/peers.md. */
export function peersDocument(): string {
  const head = ['', 'Situation', ...libraryNames.map(versionOf), 'Reports'];
  const rows = situations.map(({ title, why, seen, reports }, i) =>
    row([
      String(i + 1),
      `${title.endsWith('?') ? title : `${title}.`} _${why}_`,
      ...libraryNames.map((name) => seen[name].replaceAll('half_open', 'half-open')),
      reports.map(link).join(', '),
    ]),
  );
  return [intro, row(head), row(head.map(() => '---')), ...rows, ''].join('\n');
}
