// Every scope, in the order of documents and forms. A new one needs a text in components/texts/en/account.json, and one
// of access tokens also a letter in lib/tokens/access-token-format.ts; the compiler reports both.

/** Scopes of access tokens: what a program may do for its user in Parley's own API. */
export const ACCESS_SCOPES = ['agents:read', 'agents:write', 'agents:serve', 'handshake', 'pay'] as const;
export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** The scopes of a token created without `scopes`. The others must be requested. */
export const DEFAULT_ACCESS_SCOPES: AccessScope[] = ['agents:read', 'agents:write', 'handshake'];

/** Scopes of agent tokens that a user grants to an agent one by one. */
export const GRANTABLE_SCOPES = ['profile', 'email', 'delegate'] as const;
export type GrantableScope = (typeof GRANTABLE_SCOPES)[number];

/** Scopes of agent tokens: what an agent learns and may do. Every agent token has `agent:call`. */
export const AGENT_SCOPES = ['agent:call', ...GRANTABLE_SCOPES] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];
