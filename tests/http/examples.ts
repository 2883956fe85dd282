/** A good body of an override of one breaker. */
export const exampleOverride = {
  breakerId: 'br_1',
  kind: 'force_open',
  reason: 'the database is melting',
  expectedGeneration: 0,
  idempotencyKey: 'key-12345678',
};

const scope = { kind: 'breaker', breakerId: 'br_1' };
const command = {
  scope,
  kind: 'force_open',
  reason: 'the database is melting',
  expectedGenerations: { br_1: 0 },
  idempotencyKey: 'key-12345678',
};

/** One good request for each route. */
export const examples: Record<string, { path: string; body?: unknown }> = {
  'get /api/fleet': { path: '/api/fleet' },
  'get /api/services': { path: '/api/services' },
  'get /api/services/{id}': { path: '/api/services/svc_1' },
  'get /api/breakers/{id}': { path: '/api/breakers/br_1' },
  'get /api/breakers/{id}/history': { path: '/api/breakers/br_1/history?limit=5&types=step' },
  'get /api/breakers/{id}/series': { path: '/api/breakers/br_1/series?from=1&to=2' },
  'get /api/breakers/{id}/impact': { path: '/api/breakers/br_1/impact?kind=force_open' },
  'get /api/overrides': { path: '/api/overrides?active=1&breakerId=br_1' },
  'post /api/overrides': { path: '/api/overrides', body: exampleOverride },
  'get /api/overrides/{id}': { path: '/api/overrides/ovr_1' },
  'post /api/overrides/{id}/release': { path: '/api/overrides/ovr_1/release', body: {} },
  'post /api/overrides/{id}/lease': {
    path: '/api/overrides/ovr_1/lease',
    body: { leaseMs: 60_000 },
  },
  'post /api/breakers/{id}/release': { path: '/api/breakers/br_1/release', body: {} },
  'post /api/commands/preview': {
    path: '/api/commands/preview',
    body: { scope, kind: 'force_open' },
  },
  'get /api/commands': { path: '/api/commands?waiting=1' },
  'post /api/commands': { path: '/api/commands', body: command },
  'get /api/commands/{id}': { path: '/api/commands/cmd_1' },
  'post /api/commands/{id}/approve': {
    path: '/api/commands/cmd_1/approve',
    body: { digest: 'd' },
  },
  'post /api/commands/{id}/deny': {
    path: '/api/commands/cmd_1/deny',
    body: { reason: 'no need' },
  },
  'post /api/commands/{id}/cancel': { path: '/api/commands/cmd_1/cancel', body: {} },
  'post /api/commands/{id}/release': { path: '/api/commands/cmd_1/release', body: {} },
  'post /api/commands/{id}/lease': {
    path: '/api/commands/cmd_1/lease',
    body: { leaseMs: 60_000 },
  },
  'post /api/releases': { path: '/api/releases', body: { commandId: 'cmd_1' } },
  'get /api/releases': { path: '/api/releases?open=1' },
  'get /api/releases/{id}': { path: '/api/releases/rel_1' },
  'post /api/releases/{id}/resume': { path: '/api/releases/rel_1/resume', body: {} },
  'post /api/releases/{id}/cancel': { path: '/api/releases/rel_1/cancel', body: {} },
  'get /api/policies': { path: '/api/policies' },
  'post /api/policies': {
    path: '/api/policies',
    body: { environment: 'prod*', twoPerson: 'L3', stepUp: 'L3' },
  },
  'get /api/reviews': { path: '/api/reviews?open=1' },
  'post /api/reviews/{id}/close': {
    path: '/api/reviews/rev_1/close',
    body: { note: 'looked at the timeline' },
  },
  'get /api/tokens': { path: '/api/tokens' },
  'post /api/tokens': {
    path: '/api/tokens',
    body: { name: 'a', servicePattern: 'checkout*', environment: 'test' },
  },
  'post /api/tokens/{id}/revoke': { path: '/api/tokens/tok_1/revoke', body: {} },
  'get /api/api-tokens': { path: '/api/api-tokens' },
  'post /api/api-tokens': {
    path: '/api/api-tokens',
    body: { name: 'a', grants: [{ role: 'viewer', environment: '*', service: '*' }] },
  },
  'post /api/api-tokens/{id}/revoke': { path: '/api/api-tokens/key_1/revoke', body: {} },
  'get /api/audit': { path: '/api/audit?limit=10&subject=br_1' },
  'get /api/audit/proof': { path: '/api/audit/proof' },
  'get /api/audit/checkpoint': { path: '/api/audit/checkpoint' },
  'get /api/audit/export': { path: '/api/audit/export?format=csv' },
  'get /api/sign-in': { path: '/api/sign-in' },
  'post /api/sign-in': {
    path: '/api/sign-in',
    body: { email: 'ada@example.test', password: 'x' },
  },
  'post /api/sign-in/totp': { path: '/api/sign-in/totp', body: { code: '123456' } },
  'post /api/sign-in/passkey-options': { path: '/api/sign-in/passkey-options', body: {} },
  'post /api/sign-in/passkey': { path: '/api/sign-in/passkey', body: { response: { id: 'a' } } },
  'post /api/sign-in/oidc': { path: '/api/sign-in/oidc', body: { next: '/audit' } },
  'post /api/setup': {
    path: '/api/setup',
    body: { token: 'abc', name: 'ada', email: 'ada@example.test', password: 'x' },
  },
  'post /api/redeem': { path: '/api/redeem', body: { code: 'abc', password: 'x' } },
  'get /api/me': { path: '/api/me' },
  'post /api/sign-out': { path: '/api/sign-out', body: {} },
  'post /api/live-ticket': { path: '/api/live-ticket', body: {} },
  'post /api/step-up/passkey-options': { path: '/api/step-up/passkey-options', body: {} },
  'post /api/step-up': {
    path: '/api/step-up',
    body: { digest: 'abcd', proof: { kind: 'totp', code: '123 456' } },
  },
  'get /api/profile': { path: '/api/profile' },
  'post /api/profile/password': {
    path: '/api/profile/password',
    body: { current: 'x', next: 'y' },
  },
  'post /api/profile/totp/start': { path: '/api/profile/totp/start', body: { password: 'x' } },
  'post /api/profile/totp/confirm': { path: '/api/profile/totp/confirm', body: { code: '123456' } },
  'post /api/profile/totp/remove': { path: '/api/profile/totp/remove', body: {} },
  'post /api/profile/passkeys/start': { path: '/api/profile/passkeys/start', body: {} },
  'post /api/profile/passkeys/confirm': {
    path: '/api/profile/passkeys/confirm',
    body: { response: { id: 'a' }, name: 'laptop' },
  },
  'post /api/profile/passkeys/{id}/remove': {
    path: '/api/profile/passkeys/pk_1/remove',
    body: {},
  },
  'post /api/profile/sessions/{id}/end': { path: '/api/profile/sessions/ses_1/end', body: {} },
  'post /api/profile/sessions/end-others': {
    path: '/api/profile/sessions/end-others',
    body: {},
  },
  'get /api/people': { path: '/api/people' },
  'post /api/people/invite': {
    path: '/api/people/invite',
    body: {
      name: 'kim',
      email: 'kim@example.test',
      grants: [{ role: 'viewer', environment: '*', service: '*' }],
    },
  },
  'post /api/invitations/{id}/revoke': { path: '/api/invitations/code_1/revoke', body: {} },
  'post /api/people/{id}/grants': { path: '/api/people/usr_1/grants', body: { grants: [] } },
  'post /api/people/{id}/disable': { path: '/api/people/usr_1/disable', body: {} },
  'post /api/people/{id}/enable': { path: '/api/people/usr_1/enable', body: {} },
  'post /api/people/{id}/reset-factors': { path: '/api/people/usr_1/reset-factors', body: {} },
  'post /api/people/{id}/sign-out': { path: '/api/people/usr_1/sign-out', body: {} },
};
