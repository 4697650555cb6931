import { z } from 'zod';
import { assertionMember } from '../identity/schema-views';
import { time } from '../platform/schema';
import { ACCESS_SCOPES, GRANTABLE_SCOPES } from '../platform/scopes';
import { MAX_REDIRECT_URIS } from '../protocol/limits';
import { tokenTypeSchema } from '../protocol/oauth/authorization-server';
import { redirectUriProblem } from '../protocol/oauth/client-metadata';
import {
  MAX_API_KEY_LENGTH,
  MAX_CREDENTIAL_LIFETIME_DAYS,
  MAX_NAME_LENGTH,
  MAX_USER_CODE_INPUT_LENGTH,
  SECRET_OVERLAP_HOURS,
} from './limits';

const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .refine((text) => !/\p{Cc}/u.test(text), { message: 'expected text without control characters' });

const days = z.int().min(1).max(MAX_CREDENTIAL_LIFETIME_DAYS);

export const createAccessTokenSchema = z.object({
  name: nameSchema,
  scopes: z.array(z.enum(ACCESS_SCOPES)).min(1).optional(),
  expiresInDays: days.optional(),
  ...assertionMember,
});
export type CreateAccessToken = z.infer<typeof createAccessTokenSchema>;

export const createAppSchema = z.object({ name: nameSchema });
export type CreateApp = z.infer<typeof createAppSchema>;

const redirectUri = z.string().superRefine((uri, context) => {
  const message = redirectUriProblem(uri);
  if (message) context.addIssue({ code: 'custom', message });
});

export const setRedirectUrisSchema = z.object({ redirectUris: z.array(redirectUri).max(MAX_REDIRECT_URIS) });
export type SetRedirectUris = z.infer<typeof setRedirectUrisSchema>;

export const addAppSecretSchema = z.object({
  expiresInDays: days.optional(),
  /**
   * Makes the request a rotation, in which active secrets expire after this many hours, or at their own expiry if that
   * is earlier.
   */
  othersEndInHours: z.literal(SECRET_OVERLAP_HOURS).optional(),
});
export type AddAppSecret = z.infer<typeof addAppSecretSchema>;

export const handshakeSchema = z.object({ agentSlug: nameSchema });
export type HandshakeRequest = z.infer<typeof handshakeSchema>;

/** Body of `POST /auth/agent-token`. */
export const workerTokenRequestSchema = z.object({
  api_key: z.string().min(1).max(MAX_API_KEY_LENGTH),
});
export type WorkerTokenRequest = z.infer<typeof workerTokenRequestSchema>;

/** A token with which a user's workers connect. */
export const workerTokenSchema = z.object({ token: z.string(), expires_in: z.int() });
export type WorkerToken = z.infer<typeof workerTokenSchema>;

export const deviceCheckSchema = z.object({ userCode: z.string().min(1).max(MAX_USER_CODE_INPUT_LENGTH) });
export type DeviceCheck = z.infer<typeof deviceCheckSchema>;

export const deviceDecisionSchema = deviceCheckSchema.extend({ allow: z.boolean(), ...assertionMember });
export type DeviceDecision = z.infer<typeof deviceDecisionSchema>;

/** A pending device sign-in, for the user who decides. */
export const deviceRequestViewSchema = z.object({
  clientId: z.string(),
  scopes: z.array(z.string()),
  address: z.string(),
  userAgent: z.string(),
  createdAt: time,
  expiresAt: time,
});
export type DeviceRequestView = z.infer<typeof deviceRequestViewSchema>;

const grantableScopes = z.array(z.enum(GRANTABLE_SCOPES));

const hiringSetting = z
  .enum(['never', 'ask', 'yes'])
  .describe('Whether the agent may call other agents for you; `yes` grants the scope `delegate`');
export type HiringSetting = z.infer<typeof hiringSetting>;

export const setGrantSchema = z.object({
  scopes: grantableScopes.max(GRANTABLE_SCOPES.length),
  hire: hiringSetting.optional(),
});
export type SetGrant = z.infer<typeof setGrantSchema>;

/** An agent that the user has used or granted a scope. `open` is false if it is suspended or withdrawn. */
export const agentGrantViewSchema = z.object({
  agent: z.object({ slug: z.string(), name: z.string(), iconUrl: z.string().nullable(), open: z.boolean() }),
  scopes: grantableScopes,
  hire: hiringSetting,
  createdAt: time,
  lastUsedAt: time.nullable(),
});
export type AgentGrantView = z.infer<typeof agentGrantViewSchema>;

/** A response that contains a token without a specific agent. */
export const genericTokenSchema = z.object({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresAt: time,
  expiresIn: z.int().describe('Seconds'),
});
export type GenericToken = z.infer<typeof genericTokenSchema>;

/** An access token in its owner's list. If `expiresAt` is null, the token is valid until revoked. */
export const accessTokenViewSchema = z.object({
  id: z.string(),
  /** Created by the user, or issued to a device that signed in with a device code. */
  kind: z.enum(['personal', 'device']),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
});
export type AccessTokenView = z.infer<typeof accessTokenViewSchema>;

/** The response to the creation of an access token, which alone contains `token`. */
export const newAccessTokenSchema = z.object({
  id: z.string(),
  token: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  expiresAt: time.nullable(),
});
export type NewAccessToken = z.infer<typeof newAccessTokenSchema>;

export const appSecretViewSchema = z.object({
  id: z.string(),
  prefix: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
});
export type AppSecretView = z.infer<typeof appSecretViewSchema>;

/** A developer app, for its owner. */
export const appViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  clientId: z.string(),
  redirectUris: z.array(z.string()).describe('Where users return to after they connected the app'),
  createdAt: time,
  secrets: z.array(appSecretViewSchema),
});
export type AppView = z.infer<typeof appViewSchema>;

/** The response to the creation of an app or secret, which alone contains `clientSecret`. */
export const newClientSecretSchema = appViewSchema.extend({ clientSecret: z.string() });
export type NewClientSecret = z.infer<typeof newClientSecretSchema>;

/** The response of a handshake: a token for one agent, and the URL at which it is used. `expiresIn` is in seconds. */
export const handshakeResponseSchema = z.object({
  token: z.string(),
  /** `DPoP` if the handshake contained a DPoP proof (RFC 9449). */
  tokenType: tokenTypeSchema,
  agentUrl: z.string(),
  expiresAt: time,
  expiresIn: z.int(),
  scope: z.string(),
  /** Extensions of the agent's card that a client should list in `A2A-Extensions`; absent if there are none. */
  extensions: z.array(z.string()).optional(),
});
export type Handshake = z.infer<typeof handshakeResponseSchema>;

/** A credential as shown to its owner. */
export const credentialViewSchema = z.object({
  kind: z.enum(['session', 'access-token', 'device', 'connected-app', 'agent', 'unknown']),
  name: z.string().nullable().describe('Scopes of the token, or of the agent that acts for you'),
});
export type CredentialView = z.infer<typeof credentialViewSchema>;
