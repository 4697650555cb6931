/** A party that acts on behalf of another (RFC 8693, section 4.1); `act` is the previous actor. */
export interface ActorClaim {
  sub?: string;
  client_id?: string;
  act?: ActorClaim;
  [claim: string]: unknown;
}

/** The claims of an agent token (RFC 9068, section 2.2). Times are Unix seconds. */
export interface AgentTokenClaims {
  /** Issuer: the Parley that issued the token. */
  iss: string;
  /** The user: stable across calls, and different for every other developer. */
  sub: string;
  /** URL of the agent for which the token was issued. */
  aud: string;
  /** The client through which the user calls. */
  client_id: string;
  agent_id: string;
  agent_slug: string;
  /** Space-separated. */
  scope: string;
  iat: number;
  exp: number;
  jti: string;
  /** Present only if the user shares it with this agent. */
  email?: string;
  /** Actor on the user's behalf: the most recent actor is outermost. */
  act?: ActorClaim;
  [claim: string]: unknown;
}

/** The caller, as authenticated by Parley. */
export interface Caller {
  /** Stable for this user and this agent's owner; differs for other developers. */
  subject: string;
  clientId: string;
  scopes: string[];
  /** Null unless the user shares it with this agent. */
  email: string | null;
  /** The agents through which the call came, most recent first; empty if the user calls directly. */
  actors: ActorClaim[];
  /** Unix seconds. */
  expiresAt: number;
  claims: AgentTokenClaims;
}

/** Returns the caller of verified claims. */
export function callerFrom(claims: AgentTokenClaims): Caller {
  return {
    subject: claims.sub,
    clientId: claims.client_id,
    scopes: claims.scope.split(' ').filter(Boolean),
    email: claims.email ?? null,
    actors: actorsOf(claims.act),
    expiresAt: claims.exp,
    claims,
  };
}

function actorsOf(act: ActorClaim | undefined): ActorClaim[] {
  const actors: ActorClaim[] = [];
  for (let actor = act; actor; actor = actor.act) actors.push(actor);
  return actors;
}
