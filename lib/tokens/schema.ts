import { z } from 'zod';
import type { TokenType } from '../protocol/oauth/token-response';

const line = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/\p{Cc}/u.test(text), { message: 'expected text without control characters' });

const days = z.int().min(1).max(366);

export const accessScopeSchema = z.enum(['agents:read', 'agents:write', 'handshake', 'pay']);

/** What a token may do that was made without naming scopes: everything but to pay, which must be asked for. */
export const defaultScopes = accessScopeSchema.exclude(['pay']).options;

export const createAccessTokenSchema = z.object({
  name: line,
  scopes: z.array(accessScopeSchema).min(1).optional(),
  expiresInDays: days.optional(),
});
export type CreateAccessToken = z.infer<typeof createAccessTokenSchema>;

export const createAppSchema = z.object({ name: line });
export type CreateApp = z.infer<typeof createAppSchema>;

/** How long the secrets of before go on working when one takes their place, hours. */
export const overlapHours = [0, 1, 24, 168] as const;

export const addAppSecretSchema = z.object({
  expiresInDays: days.optional(),
  /** Makes it a rotation: the live secrets end so many hours from now, or when they would have ended anyway. */
  othersEndInHours: z.literal(overlapHours).optional(),
});
export type AddAppSecret = z.infer<typeof addAppSecretSchema>;

export const handshakeSchema = z.object({ agentSlug: line });
export type HandshakeRequest = z.infer<typeof handshakeSchema>;

export const deviceCheckSchema = z.object({ userCode: z.string().min(1).max(40) });
export type DeviceCheck = z.infer<typeof deviceCheckSchema>;

export const deviceDecisionSchema = deviceCheckSchema.extend({ allow: z.boolean() });
export type DeviceDecision = z.infer<typeof deviceDecisionSchema>;

/** A device that asks to be signed in, as the person sees it who decides. Times are ISO 8601. */
export interface DeviceRequestView {
  clientId: string;
  scopes: string[];
  address: string;
  userAgent: string;
  createdAt: string;
  expiresAt: string;
}

export const grantableScopeSchema = z.enum(['profile', 'email', 'delegate']);

export const setGrantSchema = z.object({ scopes: z.array(grantableScopeSchema).max(3) });
export type SetGrant = z.infer<typeof setGrantSchema>;

/** An agent that a person has used or granted something. Times are ISO 8601. */
export interface AgentGrantView {
  agent: {
    slug: string;
    name: string;
    /** False while it is suspended or after it was withdrawn. */
    open: boolean;
  };
  scopes: z.infer<typeof grantableScopeSchema>[];
  createdAt: string;
  lastUsedAt: string | null;
}

/** The answer to asking for a token for no agent in particular. `expiresIn` in seconds. */
export interface GenericToken {
  token: string;
  tokenType: 'Bearer';
  expiresAt: string;
  expiresIn: number;
}

/** An access token as its owner sees it in a list. Times are ISO 8601; without `expiresAt` it lives until revoked. */
export interface AccessTokenView {
  id: string;
  /** Made by the person, or given to a device that they signed in by code. */
  kind: 'personal' | 'device';
  name: string;
  prefix: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

/** The answer to creating an access token: the only time `token` is shown. */
export interface NewAccessToken {
  id: string;
  token: string;
  prefix: string;
  scopes: string[];
  expiresAt: string | null;
}

export interface AppSecretView {
  id: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
}

/** A developer app as its owner sees it. */
export interface AppView {
  id: string;
  name: string;
  clientId: string;
  createdAt: string;
  secrets: AppSecretView[];
}

/** The answer to creating an app or a further secret: the only time `clientSecret` is shown. */
export interface NewClientSecret extends AppView {
  clientSecret: string;
}

/** The answer to a handshake: a token for one agent and where to use it. `expiresIn` in seconds. */
export interface Handshake {
  token: string;
  /** `DPoP` when the handshake carried a proof of possession (RFC 9449). */
  tokenType: TokenType;
  agentUrl: string;
  expiresAt: string;
  expiresIn: number;
  scope: string;
  /** What a client should name in `A2A-Extensions`, of what the agent's card has; absent when there is nothing. */
  extensions?: string[];
}

/** A credential as its person knows it. */
export interface CredentialView {
  kind: 'session' | 'access-token' | 'device' | 'agent' | 'unknown';
  /** What the person called the token, or the name of the agent that acts for them; null for others. */
  name: string | null;
}
