/** [S-03] The ways in: password, then a code where there is an authenticator app; or a passkey. */
import type { SignInAnswer } from '@/lib/protocol/people';
import { RecloserError } from '../../services/errors';
import type { PersonRecord } from '../../store/port/people';
import { begin, refuse, reserveTotp, type IdentityContext } from './context';
import { cookiePrefix, readSessionToken } from './cookies';
import { asPerson, ask, auditRow, withoutSession, type Exchange } from './exchange';

const STARTED = 'session.started';
const REFUSED = 'session.refused';

/** The same words for every reason: which one it was helps only those who guess. */
const wrong = () =>
  new RecloserError('not_signed_in', 'The e-mail address or the password is not right.');
const wrongCode = () =>
  new RecloserError('not_signed_in', 'The code is not right, or it was used before.');
const wrongPasskey = () =>
  new RecloserError('not_signed_in', 'This passkey does not open this console.');

/** The session that the browser had before ends with the new one. */
async function endFormer(context: IdentityContext, { caller }: Exchange): Promise<void> {
  const { principal } = caller;
  if (principal.kind !== 'user') return;
  const { id: personId, sessionId } = principal;
  const row = auditRow(context.clock.wall(), caller, 'session.ended', personId, {
    details: { sessionId, why: 'signed in again' },
  });
  await context.people.endSessions({ personId, sessionId }, row);
}

export async function signIn(
  context: IdentityContext,
  exchange: Exchange,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SignInAnswer> {
  const { people, clock, sessions } = context;
  const { caller } = exchange;
  const failure = auditRow(clock.wall(), caller, REFUSED, 'console', {
    details: { email, factor: 'password' },
  });
  const attempt = await begin(context, email, caller, failure);
  const person = await people.findPerson({ email });
  const action = person?.hasTotp === true ? 'session.first_factor' : STARTED;
  const library = await context.library();
  const answer = await ask(
    exchange,
    {
      caller,
      factors: ['password'],
      audit: person && {
        model: 'session',
        row: auditRow(clock.wall(), asPerson(caller, person, ['password']), action, person.id),
      },
    },
    (headers) => library.api.signInEmail({ body: { email, password }, headers, asResponse: true }),
    withoutSession(exchange.cookie, sessions.cookieName),
  );
  if (!answer.ok) return refuse(context, attempt, failure, wrong());
  attempt.succeeded();
  if (answer.body['twoFactorRedirect'] === true) return { state: 'second_factor' };
  await endFormer(context, exchange);
  return { state: 'signed_in' };
}

/** Whose first factor was right a moment ago, by the cookie that says so. */
async function pendingPerson(
  { people, secret, secure }: IdentityContext,
  exchange: Exchange,
): Promise<PersonRecord | null> {
  const name = `${cookiePrefix(secure)}.two_factor`;
  const identifier = readSessionToken(exchange.cookie, name, secret);
  if (identifier === null) return null;
  const where = [
    { field: 'identifier', operator: 'eq', value: identifier, connector: 'AND' },
  ] as const;
  const [row] = await people.auth.find({ model: 'verification', where, limit: 1 });
  const id = row?.['value'];
  return typeof id === 'string' ? people.findPerson({ id }) : null;
}

export async function signInTotp(
  context: IdentityContext,
  exchange: Exchange,
  { code }: { readonly code: string },
): Promise<SignInAnswer> {
  const { clock, sessions } = context;
  const { caller } = exchange;
  const person = await pendingPerson(context, exchange);
  if (person === null) throw new RecloserError('not_signed_in', 'Begin again with the password.');
  const failure = auditRow(
    clock.wall(),
    asPerson(caller, person, ['password']),
    REFUSED,
    person.id,
    {
      details: { factor: 'totp' },
    },
  );
  const attempt = await begin(context, `second ${person.id}`, caller, failure);
  const isNew = await reserveTotp(context, person.id, code);
  if (!isNew) return refuse(context, attempt, failure, wrongCode());
  const library = await context.library();
  const factors = ['password', 'totp'] as const;
  const answer = await ask(
    exchange,
    {
      caller,
      factors,
      mustBe: person.id,
      audit: {
        model: 'session',
        row: auditRow(clock.wall(), asPerson(caller, person, factors), STARTED, person.id),
      },
    },
    (headers) => library.api.verifyTOTP({ body: { code }, headers, asResponse: true }),
    withoutSession(exchange.cookie, sessions.cookieName),
  );
  if (!answer.ok) return refuse(context, attempt, failure, wrongCode());
  attempt.succeeded();
  await endFormer(context, exchange);
  return { state: 'signed_in' };
}

export async function personOfPasskey(
  { people }: IdentityContext,
  credentialId: string,
): Promise<PersonRecord | null> {
  const where = [
    { field: 'credentialID', operator: 'eq', value: credentialId, connector: 'AND' },
  ] as const;
  const [row] = await people.auth.find({ model: 'passkey', where, limit: 1 });
  const id = row?.['userId'];
  return typeof id === 'string' ? people.findPerson({ id }) : null;
}

export async function passkeyOptions(
  context: IdentityContext,
  exchange: Exchange,
): Promise<Readonly<Record<string, unknown>>> {
  const library = await context.library();
  const { body } = await ask(
    exchange,
    { caller: exchange.caller, factors: ['passkey'], audit: null },
    (headers) => library.api.generatePasskeyAuthenticationOptions({ headers, asResponse: true }),
    withoutSession(exchange.cookie, context.sessions.cookieName),
  );
  return body;
}

export async function signInPasskey(
  context: IdentityContext,
  exchange: Exchange,
  response: { readonly id: string },
): Promise<SignInAnswer> {
  const { clock, sessions } = context;
  const { caller } = exchange;
  const failure = auditRow(clock.wall(), caller, REFUSED, 'console', {
    details: { factor: 'passkey' },
  });
  const attempt = await begin(context, `passkey ${response.id}`, caller, failure);
  const person = await personOfPasskey(context, response.id);
  if (person === null) return refuse(context, attempt, failure, wrongPasskey());
  const by = asPerson(caller, person, ['passkey']);
  const library = await context.library();
  const answer = await ask(
    exchange,
    {
      caller,
      factors: ['passkey'],
      mustBe: person.id,
      audit: { model: 'session', row: auditRow(clock.wall(), by, STARTED, person.id) },
    },
    (headers) =>
      library.api.verifyPasskeyAuthentication({
        body: { response: response as never },
        headers,
        asResponse: true,
      }),
    withoutSession(exchange.cookie, sessions.cookieName),
  );
  if (!answer.ok) return refuse(context, attempt, failure, wrongPasskey());
  attempt.succeeded();
  await endFormer(context, exchange);
  return { state: 'signed_in' };
}
