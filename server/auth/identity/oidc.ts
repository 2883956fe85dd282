/** Sign-in at the identity provider that the configuration names. */
import { localPath } from '@/lib/protocol/local-path';
import { RecloserError } from '../../services/errors';
import type { IdentityContext } from './context';
import { asPerson, ask, auditRow, withoutSession, type Exchange } from './exchange';
import type { NewcomerRule, OidcConfig } from './library';
import { currentScope, withScope, type LibraryScope } from './library-scope';
import { OIDC, OIDC_CALLBACK } from './paths';

const EVERYWHERE = { environment: '*', service: '*' } as const;
const FAILED = '/sign-in?error=provider';

type Context = Pick<IdentityContext, 'people' | 'clock'>;

async function invitationFor({ people, clock }: Context, email: string) {
  const open = await people.listInvitations(clock.wall());
  return open.find((one) => one.email === email.toLowerCase()) ?? null;
}

/** New identities: who was invited, or whoever the provider knows where a default role is set. */
export function newcomerRule(context: Context, oidc: OidcConfig): NewcomerRule {
  const { people, clock } = context;
  return {
    admits: async ({ email, emailVerified }) =>
      oidc.defaultRole !== null ||
      (emailVerified && (await invitationFor(context, email)) !== null),
    settle: async (user) => {
      const { caller } = currentScope();
      const now = clock.wall();
      const by = asPerson(caller, user, ['oidc']);
      const invitation = await invitationFor(context, user.email);
      const grants =
        invitation?.grants ??
        (oidc.defaultRole === null ? [] : [{ role: oidc.defaultRole, ...EVERYWHERE }]);
      const details = { email: user.email, grants };
      await people.setGrants(
        user.id,
        grants,
        auditRow(now, by, 'person.joined', user.id, { details }),
      );
      if (invitation === null) return;
      const row = auditRow(now, by, 'person.invitation_used', invitation.id);
      await people.revokeCode(invitation.id, now, row);
    },
  };
}

function scopeOf({ people, clock }: Context, { caller }: Exchange): LibraryScope {
  return {
    caller,
    factors: ['oidc'],
    audit: {
      model: 'session',
      row: async ({ userId }) => {
        const person = await people.findPerson({ id: String(userId) });
        const by = person === null ? caller : asPerson(caller, person, ['oidc']);
        return auditRow(clock.wall(), by, 'session.started', String(userId));
      },
    },
  };
}

/** Where the browser goes next. */
export async function startOidc(
  context: IdentityContext,
  exchange: Exchange,
  next: string | undefined,
): Promise<string> {
  if (context.oidc === null) {
    throw new RecloserError('not_found', 'No identity provider is configured.');
  }
  const library = await context.oidcLibrary();
  const answer = await ask(exchange, scopeOf(context, exchange), (headers) =>
    library.api.signInSocial({
      body: {
        provider: OIDC,
        callbackURL: localPath(next),
        errorCallbackURL: FAILED,
        disableRedirect: true,
      },
      headers,
      asResponse: true,
    }),
  );
  const { url } = answer.body;
  if (answer.ok && typeof url === 'string') return url;
  throw new RecloserError('not_ready', 'The identity provider does not answer.');
}

/** The browser comes back with a code. The answer is a redirect within the console. */
export async function finishOidc(
  context: IdentityContext,
  exchange: Exchange,
  search: string,
): Promise<string> {
  if (context.oidc === null) return FAILED;
  const library = await context.oidcLibrary();
  const { clock, sessions, appendAudit } = context;
  const scope = scopeOf(context, exchange);
  const cookie = withoutSession(exchange.cookie, sessions.cookieName);
  const request = new Request(`${context.publicUrl}${OIDC_CALLBACK}${search}`, {
    headers: { cookie },
  });
  const response = await withScope(scope, () => library.handler(request));
  exchange.setCookies.push(...response.headers.getSetCookie());
  if (scope.signedIn === undefined) {
    const details = { factor: 'oidc' };
    await appendAudit(
      auditRow(clock.wall(), exchange.caller, 'session.refused', 'console', {
        details,
        outcome: 'refused',
      }),
    );
    return FAILED;
  }
  return localPath(relative(response.headers.get('location'), context.publicUrl));
}

function relative(location: string | null, base: string): string {
  const url = new URL(location ?? '/', base);
  return url.origin === new URL(base).origin ? `${url.pathname}${url.search}` : '/';
}
