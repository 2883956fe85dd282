import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '@/server/log';
import { temporaryFolder } from '../audit/support';
import { issue, reporting } from '../services/override-support';
import { addTotp, at, openConsole, person, root, totpOf, visit, Visitor } from './console';

const DIGEST = 'c'.repeat(64);

const ROW = {
  actor: 'test',
  action: 'backup.made',
  subject: 'x',
  outcome: 'done',
  details: {},
} as const;

describe('[S-18] [S-26] no credential in logs, audit, errors, live messages or backups', () => {
  it('after everything that can be done with one', async () => {
    const kim = person('kim', at('operator'));
    const console = await openConsole({ people: [kim] });
    const admin = await visit(console);
    const secrets = new Set<string>([root.password, kim.password, 'wrong-canary-password']);
    const learn = (visitor: Visitor) => {
      for (const pair of visitor.cookie.split('; ')) {
        const value = decodeURIComponent(pair.slice(pair.indexOf('=') + 1));
        secrets.add(value).add(value.split('.')[0] ?? value);
      }
      secrets.add(visitor.csrf);
    };
    learn(admin);
    const operator = await visit(console, kim);
    learn(operator);
    const watched = await operator.ticket();
    secrets.add(watched);
    const live = await operator.live(watched);
    const answers: string[] = [];
    const keep = async (answer: Promise<{ text: string }>) => answers.push((await answer).text);

    await keep(
      new Visitor(console).post('/api/sign-in', {
        email: root.email,
        password: 'wrong-canary-password',
      }),
    );
    const ticket = await admin.ticket();
    secrets.add(ticket);
    await (
      await admin.live(ticket)
    ).opened;
    const again = await admin.live(ticket);
    await again.closed;

    const uri = await addTotp(admin, root);
    secrets.add(new URL(uri).searchParams.get('secret') ?? '');
    learn(admin);
    await keep(
      admin.post('/api/step-up', { digest: DIGEST, proof: { kind: 'totp', code: totpOf(uri) } }),
    );
    const proof = { kind: 'password', password: 'wrong-canary-password' };
    await keep(admin.post('/api/step-up', { digest: DIGEST, proof }));
    learn(admin);

    const token = (
      await admin.post('/api/tokens', { name: 'a', servicePattern: '*', environment: 'prod' })
    ).json()['token'];
    const script = (
      await admin.post('/api/api-tokens', { name: 's', grants: at('viewer') })
    ).json()['token'];
    const invited = await admin.post('/api/people/invite', {
      name: 'Lee',
      email: 'lee@example.test',
      grants: at('viewer'),
    });
    const { code } = await console.services.entry.recover(kim.email);
    for (const secret of [token, script, invited.json()['code'], code]) secrets.add(String(secret));
    await keep(admin.get('/api/audit?limit=500'));
    await keep(admin.get('/api/audit/export'));
    await keep(admin.get('/api/people'));
    await keep(admin.get('/api/profile'));
    const { breakerId } = await reporting(console);
    await issue(console, { scope: { kind: 'breaker', breakerId } });
    await console.pass(2_000);
    await expect.poll(() => live.types).toEqual(expect.arrayContaining(['snapshot', 'patch']));
    const invented = await admin.get(`/api/breakers/${String(script)}`);
    answers.push(String(invented.status));
    await admin.post('/api/sign-out');

    const backup = join(temporaryFolder(), 'backup.db');
    await console.store.backUp(backup, { ...ROW, at: console.clock.wall() });
    const audit = JSON.stringify((await console.services.queries.audit({ limit: 500 })).rows);
    const log = JSON.stringify(console.log.lines);
    const written: Record<string, string> = {
      audit,
      log,
      answers: answers.join('\n'),
      live: live.texts.join('\n'),
      // [S-26] Whoever gets a backup gets nothing to sign in with.
      backup: readFileSync(backup, 'latin1'),
    };
    secrets.delete('');
    expect(secrets.size).toBeGreaterThan(12);
    expect(written['backup']).toContain('kim@example.test');
    expect(written['live']).toContain('payments');
    for (const [where, text] of Object.entries(written)) {
      const found = [...secrets].filter((secret) => text.includes(secret));
      expect({ where, found }).toEqual({ where, found: [] });
    }
  });

  it('the set-up token is in one line of the log, and nowhere else', async () => {
    const console = await openConsole({ isNew: true });
    const [token = ''] = console.tokens;
    expect(console.tokens).toHaveLength(1);
    const visitor = new Visitor(console);
    const { name, email, password } = root;
    await visitor.post('/api/setup', { token, name, email, password });
    const rows = JSON.stringify(await console.services.queries.audit({ limit: 100 }));
    expect(rows + JSON.stringify(console.log.lines)).not.toContain(token);
    const lines: string[] = [];
    createLog('info', { write: (line) => lines.push(line) }).info(
      { setupToken: token },
      'set the console up',
    );
    expect(lines.join('').split(token)).toHaveLength(2);
  });
});
