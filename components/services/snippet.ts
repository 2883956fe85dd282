type Params = { token?: string; service?: string; environment?: string };

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The agent needs the address of this console; in the browser that is where the page came from. */
function consoleUrl(): string {
  return typeof window === 'undefined' ? 'https://recloser.example' : window.location.origin;
}

export function sixLines({ token, service, environment }: Params, url = consoleUrl()): string {
  return [
    "import { Recloser } from '@recloser/agent';",
    `const recloser = new Recloser({ service: ${quoted(service ?? 'checkout')}, environment: ${quoted(environment ?? 'production')},`,
    `  url: ${quoted(url)},`,
    `  token: ${quoted(token ?? 'rcl_a_…')} });`,
    "const payments = recloser.breaker('payments', { target: 'payments-api' });",
    "const answer = await payments.run(() => fetch('https://payments.example/charge'));",
  ].join('\n');
}
