import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { NoAgents, NoBreakers, NothingMatches, Unreachable } from '@/components/fleet/empty';
import { HealthBannerView, healthWords } from '@/components/shell/health-banner';
import { QueryState } from '@/components/ui/query-state';
import { errorFrom } from '@/lib/client/api-error';
import { readHealth } from '@/lib/client/health';
import { createReadiness } from '@/server/http/readiness';
import { fakeServerClock } from '@/tests/server/fakes/clock';
import { ask, fakeBackend, startFake } from '@/tests/server/fakes/server';

const title = (markup: string) => /<(?:h2|strong)[^>]*>([^<]*)/.exec(markup)?.[1] ?? '';

type Fault = (backend: ReturnType<typeof fakeBackend>) => void;

/** What a server with this fault says of itself, as the browser reads it. */
async function healthUnder(fault: Fault) {
  const backend = fakeBackend();
  fault(backend);
  const server = await startFake({ backend });
  try {
    const health = readHealth((await ask(server.port, '/healthz')).json());
    if (health === null) throw new Error('the browser does not understand the answer');
    return health;
  } finally {
    await server.close();
  }
}

const diskFull: Fault = (backend) => {
  backend.writable = () => Promise.reject(new Error('SQLITE_FULL'));
};
const damage: Fault = (backend) => {
  backend.problem = 'page 7 is bad';
};

async function healthWithSink() {
  const readiness = createReadiness(fakeServerClock(), {
    write: () => Promise.resolve(),
    sink: () => Promise.resolve({ state: 'failing', lagMs: 9_000, required: true }),
  });
  readiness.enter('running');
  return readHealth(await readiness.check());
}

/** What an answer of the server becomes where it was to be shown. */
function shownFor(code: 'not_allowed' | 'not_found' | 'internal', message: string) {
  const error = errorFrom(403, { error: { code, message } });
  return renderToStaticMarkup(
    <QueryState
      query={{ data: undefined, error, refetch: () => undefined }}
      what="The people"
      missing={<h2>Nobody is known by that name</h2>}
    >
      {() => null}
    </QueryState>,
  );
}

describe('[U-40] each reason has words and a next step of its own', () => {
  it('read-only: the disk is full, the data is damaged, the second audit record fails', async () => {
    const full = await healthUnder(diskFull);
    const all = [full, await healthUnder(damage), await healthWithSink()];
    const words = all.map((health) => health && healthWords(health));
    expect(words.map((one) => one?.title)).toEqual([
      'Read only: the disk of this server takes no writes.',
      'Read only: the data of this server is damaged.',
      'Nothing can be changed: the second audit record is not being kept.',
    ]);
    for (const one of words) expect(one?.body).toMatch(/Free space|Stop the server|Mend/);
    expect(renderToStaticMarkup(<HealthBannerView health={full} />)).toContain('role="alert"');
  });

  it('a sound server says nothing', async () => {
    const health = await healthUnder(() => undefined);
    expect(health).toEqual({ status: 'ready', reason: null });
    expect(renderToStaticMarkup(<HealthBannerView health={health} />)).toBe('');
  });

  it('an answer that is not of the server says nothing about the store', () => {
    for (const body of [null, 'x', {}, { status: 'fine' }]) expect(readHealth(body)).toBeNull();
  });

  it('no permission is not an error, and says who can help', () => {
    const markup = shownFor('not_allowed', 'Your role does not allow this.');
    expect(markup).toContain('your role does not cover this');
    expect(markup).toContain('An admin can give you a role');
    expect(markup).not.toContain('role="alert"');
    expect(shownFor('internal', 'Unexpected failure')).toContain('could not be loaded');
  });

  it('what the server does not know is missing, and no error', () => {
    const markup = shownFor('not_found', 'No such thing');
    expect(markup).toBe('<h2>Nobody is known by that name</h2>');
    expect(shownFor('internal', 'Unexpected failure')).not.toContain('Nobody');
  });

  it('first run: three steps, the first ticked off once there is a token', () => {
    const before = renderToStaticMarkup(<NoAgents />);
    expect(before.match(/<li/g)).toHaveLength(3);
    expect(before).not.toContain(', done');
    const after = renderToStaticMarkup(<NoAgents hasToken />);
    expect(after.match(/, done/g)).toHaveLength(1);
  });

  it('no two reasons share their words', async () => {
    const damaged = await healthUnder(damage);
    const titles = [
      <NoAgents key="a" />,
      <NoBreakers key="b" instances={3} />,
      <NothingMatches key="c" total={9} onClear={() => undefined} />,
      <Unreachable key="d" />,
      <HealthBannerView key="e" health={damaged} />,
    ].map((element) => title(renderToStaticMarkup(element)));
    titles.push(title(shownFor('not_allowed', 'No.')));
    expect(new Set(titles).size).toBe(6);
    expect(titles).not.toContain('');
  });
});
