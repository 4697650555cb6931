// All scopes, in the order of documentation and forms. A new scope needs a text in lib/texts/en/account.json,
// and a new scope of access tokens also a letter in lib/tokens/access-tokens/access-token-texts.ts. The compiler
// reports both.

/** Scopes of access tokens: the permissions of a program for its user in Parley's own API. */
export const ACCESS_SCOPES = [
  'agents:read',
  'agents:write',
  'agents:serve',
  'handshake',
  'pay',
  'guards:write',
] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/**
 * Returns true for a scope with which a token can spend money or change spending limits; granting it is a guarded
 * change.
 */
export function isGuardedScope(scope: string): boolean {
  return scope === 'pay' || scope === 'guards:write';
}

/** The scopes of a token created without `scopes`. All others must be requested. */
export const DEFAULT_ACCESS_SCOPES: AccessScope[] = ['agents:read', 'agents:write', 'handshake'];

/** Scopes of a host, a program that works with agents for its user, at `/mcp` and `/v1`. */
export const HOST_SCOPES = ['agents:read', 'agents:call', 'tasks:read'] as const;
export type HostScope = (typeof HOST_SCOPES)[number];

/** Scopes of connected apps. With `offline_access`, the app receives a refresh token (OpenID Connect Core §11). */
export const CONNECTION_SCOPES = [...HOST_SCOPES, 'offline_access'] as const;
export type ConnectionScope = (typeof CONNECTION_SCOPES)[number];

/** Scopes of agent tokens that a user grants to an agent individually. */
export const GRANTABLE_SCOPES = ['profile', 'email', 'delegate'] as const;
export type GrantableScope = (typeof GRANTABLE_SCOPES)[number];

/** Scopes of agent tokens: the data and permissions of an agent. Every agent token has `agent:call`. */
export const AGENT_SCOPES = ['agent:call', ...GRANTABLE_SCOPES] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];

/** Scopes of the tokens that a user's programs present: access tokens and tokens of connected apps. */
export type TokenScope = AccessScope | ConnectionScope;
