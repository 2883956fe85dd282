/** A service that does one call and ends, with or without a goodbye: nothing may keep it alive. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Recloser } from '@/lib/agent';

const [url = '', ...modes] = process.argv.slice(2);
const mustWait = () => modes.includes('connected') && !recloser.status.connected;
process.on('unhandledRejection', () => process.exit(70));

const { CLIENT_CERT: certFile, CLIENT_KEY: keyFile } = process.env;
const recloser = new Recloser({
  service: 'host',
  environment: 'test',
  url,
  token: 'rcl_a_test',
  ...(certFile && keyFile && { clientCertificate: { certFile, keyFile } }),
});
const breaker = recloser.breaker('inventory');
const answer = await breaker.run(() => Promise.resolve('answer'));
const deadline = Date.now() + 5_000;
while (mustWait() && Date.now() < deadline) {
  await sleep(10);
}
const { enabled, connected } = recloser.status;
if (modes.includes('close')) await recloser.close();
process.stdout.write(JSON.stringify({ answer, enabled, connected }));
