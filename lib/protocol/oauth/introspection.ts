import type { ActorClaim } from './access-tokens';
import type { TokenType } from './authorization-server';

/** The response for any inactive token, without a reason (RFC 7662 §2.2). */
export interface InactiveToken {
  active: false;
}

/** The response to an agent's own app for an active token (RFC 7662 §2.2). Times are seconds since 1970. */
export interface ActiveToken {
  active: true;
  iss: string;
  sub: string;
  aud: string;
  client_id: string;
  agent_id: string;
  agent_slug: string;
  scope: string;
  token_type: TokenType;
  exp: number;
  iat: number;
  jti: string;
  /** The user's, if granted to this agent. */
  email?: string;
  name?: string;
  /** Agents that act for the user, the latest outermost. */
  act?: ActorClaim;
  /** For a bound token: the recipient must verify a proof by this key (RFC 9449 §6.2). */
  cnf?: { jkt: string };
}

/** The response to a user's own app for their generic token. */
export type ActiveGenericToken = Omit<
  ActiveToken,
  'agent_id' | 'agent_slug' | 'scope' | 'email' | 'name' | 'act' | 'cnf'
>;

export type Introspection = InactiveToken | ActiveToken | ActiveGenericToken;
