/** `node scripts/demo-fault.mjs payments errors share=0.5`: a switch of the running demo. */
import { existsSync, readFileSync } from 'node:fs';
import { demoNote } from './demo-note.mjs';
import { ExpectedError } from './expected-error.mjs';

const USAGE = `node scripts/demo-fault.mjs SERVICE KIND [name=value …]
node scripts/demo-fault.mjs scenario play|pause

KIND is latency (ms=600), errors (share=1), hang (share=1), refuse, restart_cold (downMs=5000) or
clear. instance=payments-1 reaches one instance only. A fault pauses the scenario.`;

/** The words of the command line as a request to the panel. */
export function parseFault(args) {
  const [first, second, ...rest] = args;
  if (!first || !second || first.startsWith('-')) throw new ExpectedError(USAGE);
  if (first === 'scenario') return { path: '/scenario', body: { running: second === 'play' } };
  const options = rest.map((word) => {
    const [name, value] = word.split('=');
    if (!name || !value) throw new ExpectedError(USAGE);
    return [name, Number.isNaN(Number(value)) ? value : Number(value)];
  });
  return {
    path: '/fault',
    body: { service: first, kind: second, ...Object.fromEntries(options) },
  };
}

export async function main(args) {
  const { path, body } = parseFault(args);
  const answer = await send(panelAddress() + path, body);
  console.log(JSON.stringify(answer));
}

function panelAddress() {
  if (!existsSync(demoNote)) throw new ExpectedError('The demo is not running (npm run demo).');
  return JSON.parse(readFileSync(demoNote, 'utf8')).panel;
}

async function send(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new ExpectedError('The demo does not answer; is it still running?');
  });
  const answer = await response.json();
  if (!response.ok) throw new ExpectedError(answer.error);
  return answer;
}
