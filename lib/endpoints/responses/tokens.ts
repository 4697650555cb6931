import { z } from 'zod';
import { time } from '../../platform/schema';
import { GRANTABLE_SCOPES } from '../../platform/scopes';
import type { ActorClaim } from '../../protocol/oauth/access-tokens';
import type { DeviceAuthorization, TokenResponse } from '../../protocol/oauth/authorization-server';
import type { Introspection } from '../../protocol/oauth/introspection';
import type {
  AccessTokenView,
  AgentGrantView,
  AppSecretView,
  AppView,
  DeviceRequestView,
  GenericToken,
  Handshake,
  NewAccessToken,
  NewClientSecret,
} from '../../tokens/schema';

export const accessTokenView: z.ZodType<AccessTokenView> = z.object({
  id: z.string(),
  kind: z.enum(['personal', 'device']),
  name: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  createdAt: time,
  expiresAt: time.nullable(),
  lastUsedAt: time.nullable(),
});

export const newAccessToken: z.ZodType<NewAccessToken> = z.object({
  id: z.string(),
  token: z.string(),
  prefix: z.string(),
  scopes: z.array(z.string()),
  expiresAt: time.nullable(),
});

export const secretView: z.ZodType<AppSecretView> = z.object({
  id: z.string(),
  prefix: z.string(),
  createdAt: time,
  lastUsedAt: time.nullable(),
  expiresAt: time.nullable(),
});

const app = z.object({
  id: z.string(),
  name: z.string(),
  clientId: z.string(),
  createdAt: time,
  secrets: z.array(secretView),
});

export const appView: z.ZodType<AppView> = app;

export const newClientSecret: z.ZodType<NewClientSecret> = app.extend({ clientSecret: z.string() });

export const handshakeResponse: z.ZodType<Handshake> = z.object({
  token: z.string(),
  tokenType: z.enum(['Bearer', 'DPoP']),
  agentUrl: z.string(),
  expiresAt: time,
  expiresIn: z.int(),
  scope: z.string(),
  extensions: z.array(z.string()).optional(),
});

export const grantView: z.ZodType<AgentGrantView> = z.object({
  agent: z.object({ slug: z.string(), name: z.string(), open: z.boolean() }),
  scopes: z.array(z.enum(GRANTABLE_SCOPES)),
  createdAt: time,
  lastUsedAt: time.nullable(),
});

export const deviceRequestView: z.ZodType<DeviceRequestView> = z.object({
  clientId: z.string(),
  scopes: z.array(z.string()),
  address: z.string(),
  userAgent: z.string(),
  createdAt: time,
  expiresAt: time,
});

const seconds = z.int().describe('Seconds since 1970');
const tokenType = z.enum(['Bearer', 'DPoP']);
export const actorClaim: z.ZodType<ActorClaim> = z.object({
  sub: z.string(),
  act: z.lazy(() => actorClaim).optional(),
});

const activeToken = z.object({
  active: z.literal(true),
  iss: z.string(),
  sub: z.string().describe('The person, as this agent knows them'),
  aud: z.string(),
  client_id: z.string(),
  token_type: tokenType,
  exp: seconds,
  iat: seconds,
  jti: z.string(),
});

/** The introspection response (RFC 7662 §2.2) of an agent token, of a generic token, or of an inactive one. */
export const introspection: z.ZodType<Introspection> = z.union([
  activeToken.extend({
    agent_id: z.string(),
    agent_slug: z.string(),
    scope: z.string(),
    email: z.string().optional(),
    name: z.string().optional(),
    act: actorClaim.optional(),
    cnf: z.object({ jkt: z.string() }).optional(),
  }),
  activeToken,
  z.object({ active: z.literal(false) }),
]);

const genericToken: z.ZodType<GenericToken> = z.object({
  token: z.string(),
  tokenType: z.literal('Bearer'),
  expiresAt: time,
  expiresIn: z.int().describe('Seconds'),
});

const granted: z.ZodType<TokenResponse> = z.object({
  access_token: z.string(),
  token_type: tokenType,
  expires_in: z.int().describe('Seconds'),
  scope: z.string(),
  refresh_token: z.string().optional(),
  issued_token_type: z.string().optional(),
});

/** RFC 6749 §5.1 for a grant, otherwise a generic token. */
export const tokenResponse = z.union([granted, genericToken]);

/** RFC 8628 §3.2. */
export const deviceAuthorization: z.ZodType<DeviceAuthorization> = z.object({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: z.int().describe('Seconds'),
  interval: z.int().describe('Seconds'),
});
