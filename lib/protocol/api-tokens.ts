/** Tokens with which a script or the command line speaks for a person, with a part of their grants. */
import { z } from 'zod';
import type { Role } from './access';
import { grant } from './grant';
import { name } from './primitives';
import { MAX_SCREEN_DAYS } from './screen';

const at = z.number();

/** Approving and managing are for people: a token cannot be asked whether it meant it. */
export const apiTokenRoles = [
  'viewer',
  'responder',
  'operator',
  'auditor',
] as const satisfies readonly Role[];

const tokenGrant = grant.extend({ role: z.enum(apiTokenRoles) });

/** `screen`: shows the wall at a screen that nobody is signed in at, and opens nothing else. */
export const apiTokenKinds = ['script', 'screen'] as const;

export const apiTokenView = z.object({
  id: z.string(),
  kind: z.enum(apiTokenKinds),
  name: z.string(),
  grants: z.array(grant),
  /** Whose it is: it can never do more than this person. */
  ownerId: z.string(),
  owner: z.string(),
  /** First characters, for telling tokens apart. */
  hint: z.string(),
  createdAt: at,
  expiresAt: at,
  lastUsedAt: at.nullable(),
  revokedAt: at.nullable(),
});
export type ApiTokenView = z.infer<typeof apiTokenView>;

export type ApiTokenRole = (typeof apiTokenRoles)[number];

export const createApiTokenBody = z
  .strictObject({
    kind: z.enum(apiTokenKinds).default('script'),
    name,
    grants: z.array(tokenGrant).min(1).max(20),
    expiresInDays: z.int().min(1).max(365).default(90),
  })
  .refine(({ kind, grants }) => kind === 'script' || grants.every((one) => one.role === 'viewer'), {
    path: ['grants'],
    message: 'a screen can only be a viewer',
  })
  .refine(({ kind, expiresInDays }) => kind === 'script' || expiresInDays <= MAX_SCREEN_DAYS, {
    path: ['expiresInDays'],
    message: `a screen's token ends after ${MAX_SCREEN_DAYS} days at most`,
  });
export type CreateApiTokenBody = z.infer<typeof createApiTokenBody>;

/** The only answer that shows the token itself. */
export const createdApiTokenBody = z.object({ token: z.string(), view: apiTokenView });
export type CreatedApiTokenBody = z.infer<typeof createdApiTokenBody>;
export const apiTokensBody = z.object({ now: at, tokens: z.array(apiTokenView) });
export type ApiTokensBody = z.infer<typeof apiTokensBody>;
