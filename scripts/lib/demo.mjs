/** `npm run demo`: the console with a data folder of its own, and a fleet that gets into trouble. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { prepare } from './bootstrap.mjs';
import { bundleDemo } from './bundle-demo.mjs';
import { startConsole } from './console-process.mjs';
import { demoData, demoNote } from './demo-note.mjs';
import { ExpectedError } from './expected-error.mjs';
import { root } from './paths.mjs';
import { firstFreePort } from './ports.mjs';

const CONSOLE_PORT = 4600;
const PANEL_PORT = 4680;

const HELP = `npm run demo [-- --no-scenario]

Starts the console on port ${CONSOLE_PORT} (PORT changes that; the next free one if it is taken) with
its data in ./data/demo, and a small shop of 13 processes that calls itself over HTTP.
--no-scenario leaves the shop healthy until you switch a fault: node scripts/demo-fault.mjs --help`;

export async function main(args) {
  if (args.includes('--help') || args.includes('-h')) return console.log(HELP);
  const unknown = args.find((arg) => arg !== '--no-scenario');
  if (unknown) throw new ExpectedError(`No such option: ${unknown}\n\n${HELP}`);

  await prepare();
  mkdirSync(demoData, { recursive: true, mode: 0o700 });
  const bundles = await bundleDemo();
  const { seedDemoPeople } = await import(pathToFileURL(bundles.peoplePath).href);
  const people = await seedDemoPeople(demoData, root);
  const server = await startConsole({ port: await consolePort(), dataDir: demoData });
  const stopping = makeStopping();
  let demo = null;
  try {
    demo = await startFleet(server.url, people[0], bundles, !args.includes('--no-scenario'));
    writeFileSync(demoNote, JSON.stringify({ console: server.url, panel: demo.panelUrl }));
    // Passkeys need a host name.
    introduce(server.url.replace('127.0.0.1', 'localhost'), people, demo);
    const ended = await Promise.race([stopping.then(() => null), server.exited]);
    if (ended !== null) throw new ExpectedError(`The console ended with code ${ended}.`);
  } finally {
    rmSync(demoNote, { force: true });
    await demo?.stop();
    await server.stop();
  }
}

/** Resolves at the first signal; npm and the terminal may both send one. */
function makeStopping() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, resolve);
  });
}

async function consolePort() {
  const wanted = Number(process.env.PORT) || CONSOLE_PORT;
  const port = await firstFreePort(wanted);
  if (port !== wanted) console.log(`Port ${wanted} is taken, using ${port}.`);
  return port;
}

async function startFleet(consoleUrl, admin, { childPath, supervisorPath }, scenario) {
  const { startDemo } = await import(pathToFileURL(supervisorPath).href);
  // The guide counts from when the whole fleet is up.
  let startedAt = Date.now();
  const demo = await startDemo({
    consoleUrl,
    admin,
    childPath,
    scenario,
    panelPort: await firstFreePort(PANEL_PORT),
    log: (line) => console.log(`${clock(Date.now() - startedAt)}  ${line}`),
  });
  startedAt = Date.now();
  return demo;
}

function clock(ms) {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function introduce(consoleUrl, people, demo) {
  const width = Math.max(...people.map(({ email }) => email.length));
  const cast = people.map(
    ({ name, email, password }) => `  ${email.padEnd(width)}  ${password}  ${name}`,
  );
  console.log(`
Console  ${consoleUrl}/sign-in
${cast.join('\n')}

Panel    ${demo.panelUrl}  (faults by hand)

${demo.guide.join('\n')}

Ctrl-C ends everything. The history stays in data/demo.
`);
}
