import { z } from 'zod';
import { ACCESS_SCOPES, GRANTABLE_SCOPES, type GrantableScope } from '../platform/scopes';
import type { TokenType } from '../protocol/oauth/authorization-server';
import {
  MAX_CREDENTIAL_LIFETIME_DAYS,
  MAX_LINE_LENGTH,
  MAX_USER_CODE_INPUT_LENGTH,
  SECRET_OVERLAP_HOURS,
} from './limits';

const line = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LINE_LENGTH)
  .refine((text) => !/\p{Cc}/u.test(text), { message: 'expected text without control characters' });

const days = z.int().min(1).max(MAX_CREDENTIAL_LIFETIME_DAYS);

export const createAccessTokenSchema = z.object({
  name: line,
  scopes: z.array(z.enum(ACCESS_SCOPES)).min(1).optional(),
  expiresInDays: days.optional(),
});
export type CreateAccessToken = z.infer<typeof createAccessTokenSchema>;

export const createAppSchema = z.object({ name: line });
export type CreateApp = z.infer<typeof createAppSchema>;

export const addAppSecretSchema = z.object({
  expiresInDays: days.optional(),
  /** Makes it a rotation: active secrets expire after this many hours, or at their own expiry if that is earlier. */
  othersEndInHours: z.literal(SECRET_OVERLAP_HOURS).optional(),
});
export type AddAppSecret = z.infer<typeof addAppSecretSchema>;

export const handshakeSchema = z.object({ agentSlug: line });
export type HandshakeRequest = z.infer<typeof handshakeSchema>;

export const deviceCheckSchema = z.object({ userCode: z.string().min(1).max(MAX_USER_CODE_INPUT_LENGTH) });
export type DeviceCheck = z.infer<typeof deviceCheckSchema>;

export const deviceDecisionSchema = deviceCheckSchema.extend({ allow: z.boolean() });
export type DeviceDecision = z.infer<typeof deviceDecisionSchema>;

/** A pending device sign-in, for the user who decides. Times are ISO 8601. */
export interface DeviceRequestView {
  clientId: string;
  scopes: string[];
  address: string;
  userAgent: string;
  createdAt: string;
  expiresAt: string;
}

const grantableScopes = z.array(z.enum(GRANTABLE_SCOPES));

export const setGrantSchema = z.object({
  scopes: grantableScopes.max(GRANTABLE_SCOPES.length),
});
export type SetGrant = z.infer<typeof setGrantSchema>;

/** An agent that the user has used or granted a scope. Times are ISO 8601. */
export interface AgentGrantView {
  agent: {
    slug: string;
    name: string;
    /** False when it is suspended or withdrawn. */
    open: boolean;
  };
  scopes: GrantableScope[];
  createdAt: string;
  lastUsedAt: string | null;
}

/** Response with a token for no particular agent. `expiresIn` in seconds. */
export interface GenericToken {
  token: string;
  tokenType: 'Bearer';
  expiresAt: string;
  expiresIn: number;
}

/** An access token in its owner's list. Times are ISO 8601; `expiresAt: null` means valid until revoked. */
export interface AccessTokenView {
  id: string;
  /** Created by the user, or issued to a device that signed in with a device code. */
  kind: 'personal' | 'device';
  name: string;
  prefix: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
}

/** Response to creating an access token: the only time `token` is shown. */
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

/** A developer app, for its owner. */
export interface AppView {
  id: string;
  name: string;
  clientId: string;
  createdAt: string;
  secrets: AppSecretView[];
}

/** Response to creating an app or secret: the only time `clientSecret` is shown. */
export interface NewClientSecret extends AppView {
  clientSecret: string;
}

/** Response of a handshake: a token for one agent and the URL to use it at. `expiresIn` in seconds. */
export interface Handshake {
  token: string;
  /** `DPoP` when the handshake had a DPoP proof (RFC 9449). */
  tokenType: TokenType;
  agentUrl: string;
  expiresAt: string;
  expiresIn: number;
  scope: string;
  /** Extensions of the agent's card that a client should list in `A2A-Extensions`; absent when empty. */
  extensions?: string[];
}

/** A credential as shown to its owner. */
export interface CredentialView {
  kind: 'session' | 'access-token' | 'device' | 'agent' | 'unknown';
  /** The name of the token, or of the agent that acts for the user; null for others. */
  name: string | null;
}
