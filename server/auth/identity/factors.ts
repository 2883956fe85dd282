/** Adding factors, and proving one again for a dangerous command. */
import type { StepUpAnswer, StepUpBody } from '@/lib/protocol/people';
import type { Factor } from '../../services/caller';
import { RecloserError } from '../../services/errors';
import { begin, refuse, reserveTotp, rotate, userIn, type IdentityContext } from './context';
import { ask, auditRow, type Exchange } from './exchange';
import type { LibraryScope } from './library-scope';
import { personOfPasskey } from './sign-in';

const scopeOf = (
  exchange: Exchange,
  factor: Factor,
  over: Partial<LibraryScope> = {},
): LibraryScope => ({
  caller: exchange.caller,
  factors: [factor],
  mustBe: userIn(exchange).id,
  audit: null,
  ...over,
});

function tell({ bus }: IdentityContext, exchange: Exchange): void {
  bus.publish({ type: 'access_changed', personId: userIn(exchange).id });
}

export async function startTotp(
  context: IdentityContext,
  exchange: Exchange,
  password: string | undefined,
): Promise<string> {
  const user = userIn(exchange);
  await context.services.forCaller(exchange.caller).profile.assertFresh();
  const row = auditRow(context.clock.wall(), exchange.caller, 'person.totp_started', user.id);
  const attempt = await begin(context, `step-up ${user.id}`, exchange.caller, row);
  const library = await context.library();
  const answer = await ask(
    exchange,
    scopeOf(exchange, 'totp', { audit: { model: 'twoFactor', row } }),
    (headers) =>
      library.api.enableTwoFactor({
        body: { method: 'totp', ...(password === undefined ? {} : { password }) },
        headers,
        asResponse: true,
      }),
  );
  const uri = answer.body['totpURI'];
  if (answer.ok && typeof uri === 'string') {
    attempt.succeeded();
    return uri;
  }
  if (answer.body['code'] === 'TOTP_ALREADY_ENABLED') {
    throw new RecloserError('conflict', 'There is an authenticator app; remove it first.');
  }
  const wrong = new RecloserError('not_allowed', 'The password is not right.');
  return refuse(context, attempt, row, wrong);
}

export async function confirmTotp(
  context: IdentityContext,
  exchange: Exchange,
  code: string,
): Promise<void> {
  const user = userIn(exchange);
  await context.services.forCaller(exchange.caller).profile.assertFresh();
  const row = auditRow(context.clock.wall(), exchange.caller, 'person.totp_added', user.id);
  const attempt = await begin(context, `step-up ${user.id}`, exchange.caller, row);
  const wrong = new RecloserError('not_allowed', 'The code is not right, or it was used before.');
  if (!(await reserveTotp(context, user.id, code))) return refuse(context, attempt, row, wrong);
  const library = await context.library();
  const { sessionId } = user;
  const answer = await ask(
    exchange,
    scopeOf(exchange, 'totp', { rotate: sessionId, audit: { model: 'twoFactor', row } }),
    (headers) => library.api.verifyTOTP({ body: { code }, headers, asResponse: true }),
  );
  if (!answer.ok) return refuse(context, attempt, row, wrong);
  attempt.succeeded();
  tell(context, exchange);
  return undefined;
}

export async function startPasskey(
  context: IdentityContext,
  exchange: Exchange,
): Promise<Readonly<Record<string, unknown>>> {
  await context.services.forCaller(exchange.caller).profile.assertFresh();
  const library = await context.library();
  const { body } = await ask(exchange, scopeOf(exchange, 'passkey'), (headers) =>
    library.api.generatePasskeyRegistrationOptions({ query: {}, headers, asResponse: true }),
  );
  return body;
}

export async function confirmPasskey(
  context: IdentityContext,
  exchange: Exchange,
  { response, name }: { readonly response: unknown; readonly name?: string | undefined },
): Promise<void> {
  const user = userIn(exchange);
  await context.services.forCaller(exchange.caller).profile.assertFresh();
  const row = auditRow(context.clock.wall(), exchange.caller, 'person.passkey_added', user.id);
  const library = await context.library();
  const answer = await ask(
    exchange,
    scopeOf(exchange, 'passkey', { audit: { model: 'passkey', row } }),
    (headers) =>
      library.api.verifyPasskeyRegistration({
        body: { response, ...(name === undefined ? {} : { name }) },
        headers,
        asResponse: true,
      }),
  );
  if (!answer.ok) {
    const wrong = new RecloserError('invalid_input', 'The passkey could not be checked.');
    return refuse(context, null, row, wrong);
  }
  tell(context, exchange);
  return undefined;
}

/** For a passkey of the person who is signed in. */
export async function stepUpOptions(
  context: IdentityContext,
  exchange: Exchange,
): Promise<Readonly<Record<string, unknown>>> {
  const library = await context.library();
  const { body } = await ask(exchange, scopeOf(exchange, 'passkey'), (headers) =>
    library.api.generatePasskeyAuthenticationOptions({ headers, asResponse: true }),
  );
  return body;
}

type Proof = StepUpBody['proof'];

async function prove(context: IdentityContext, exchange: Exchange, proof: Proof): Promise<boolean> {
  const { people, passwords } = context;
  const { id, sessionId } = userIn(exchange);
  if (proof.kind === 'password') {
    const hash = await people.passwordHash(id);
    return hash !== null && passwords.verify(hash, proof.password);
  }
  const library = await context.library();
  if (proof.kind === 'totp') {
    const { code } = proof;
    if (!(await reserveTotp(context, id, code))) return false;
    const answer = await ask(exchange, scopeOf(exchange, 'totp'), (headers) =>
      library.api.verifyTOTP({ body: { code }, headers, asResponse: true }),
    );
    return answer.ok;
  }
  const { response } = proof;
  if ((await personOfPasskey(context, response.id))?.id !== id) return false;
  const answer = await ask(
    exchange,
    scopeOf(exchange, 'passkey', { rotate: sessionId }),
    (headers) =>
      library.api.verifyPasskeyAuthentication({
        body: { response: response as never },
        headers,
        asResponse: true,
      }),
  );
  return answer.ok;
}

/** [S-13] A fresh factor for one command of this session. */
export async function stepUp(
  context: IdentityContext,
  exchange: Exchange,
  { digest, proof }: StepUpBody,
): Promise<StepUpAnswer> {
  const { services, clock } = context;
  const user = userIn(exchange);
  const factors = await services.stepUps.factorsOf(exchange.caller);
  const row = auditRow(clock.wall(), exchange.caller, 'session.step_up', user.id, {
    details: { digest, factor: proof.kind },
  });
  const denied = (message: string) =>
    new RecloserError('step_up_needed', message, { details: { factors } });
  if (!factors.includes(proof.kind)) {
    return refuse(context, null, row, denied('This factor does not count for you.'));
  }
  const attempt = await begin(context, `step-up ${user.id}`, exchange.caller, row);
  if (!(await prove(context, exchange, proof))) {
    return refuse(context, attempt, row, denied('That was not right, or it was used before.'));
  }
  attempt.succeeded();
  // A passkey has gone through the library, which has set a new cookie already.
  if (proof.kind !== 'passkey') await rotate(context, exchange, proof.kind);
  return services.stepUps.issue(exchange.caller, digest, proof.kind);
}
