/** Somebody who acts for another (RFC 8693, section 4.1); `act` is who acted before. */
export interface ActorClaim {
  sub?: string;
  client_id?: string;
  act?: ActorClaim;
  [claim: string]: unknown;
}

/** The claims of an agent token (RFC 9068, section 2.2). Times are Unix seconds. */
export interface AgentTokenClaims {
  /** The Parley that issued it. */
  iss: string;
  /** The person: the same each time they call you, and another value for every other developer. */
  sub: string;
  /** The address of the one agent that it is for. */
  aud: string;
  /** The program through which the person calls. */
  client_id: string;
  agent_id: string;
  agent_slug: string;
  /** Separated by spaces. */
  scope: string;
  iat: number;
  exp: number;
  jti: string;
  /** Only when the person lets this agent see it. */
  email?: string;
  /** Who calls on the person's behalf: the nearest one outside, earlier ones inside. */
  act?: ActorClaim;
  [claim: string]: unknown;
}

/** Who is calling, as Parley vouches for it. */
export interface Caller {
  /** Stable for this person and this agent's owner; another developer sees another subject. */
  subject: string;
  clientId: string;
  scopes: string[];
  /** Null unless the person lets this agent see it. */
  email: string | null;
  /** The agents through which the call came, the nearest first; empty when the person calls by themselves. */
  actors: ActorClaim[];
  /** Unix seconds. */
  expiresAt: number;
  claims: AgentTokenClaims;
}

/** The caller that checked claims name. */
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
