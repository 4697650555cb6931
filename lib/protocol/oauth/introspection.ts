import type { ActorClaim } from './agent-token';
import type { TokenType } from './token-response';

/** The only thing said about a token that is not active, whatever the reason (RFC 7662 §2.2). */
export interface InactiveToken {
  active: false;
}

/** What an agent's own app learns about an active token (RFC 7662 §2.2). Times are seconds since 1970. */
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
  /** The person's, as far as they granted it to this agent. */
  email?: string;
  name?: string;
  /** Agents that act for the person, the latest outermost. */
  act?: ActorClaim;
  /** Of a bound token: whoever takes it must see a proof by this key (RFC 9449 §6.2). */
  cnf?: { jkt: string };
}

/** What a person's own app learns about their generic token. */
export type ActiveGenericToken = Omit<
  ActiveToken,
  'agent_id' | 'agent_slug' | 'scope' | 'email' | 'name' | 'act' | 'cnf'
>;

export type Introspection = InactiveToken | ActiveToken | ActiveGenericToken;
