import type { Trace } from './trace';

/** Scopes of personal access tokens. */
export type AccessScope = 'agents:read' | 'agents:write' | 'handshake' | 'pay';

/** Scopes of agent tokens. */
export type AgentScope = 'agent:call' | 'profile' | 'email' | 'delegate';

/** Scopes that a person grants to an agent, each by itself; `agent:call` comes with every token. */
export type GrantableScope = Exclude<AgentScope, 'agent:call'>;

/** A person, and by which credential they are known. `credential.id` is what revocation speaks of. */
export interface UserActor {
  kind: 'user';
  userId: string;
  email: string;
  name: string;
  credential: { kind: 'session'; id: string } | { kind: 'access-token'; id: string; scopes: AccessScope[] };
}

/** A developer app that authenticated with its client credentials. */
export interface AppActor {
  kind: 'app';
  appId: string;
  clientId: string;
  /** The secret that it authenticated with. */
  credentialId: string;
}

/** A client of ours that can keep no secret (RFC 6749 §2.1): what it may do comes from the tokens it holds. */
export interface PublicClientActor {
  kind: 'public-client';
  clientId: PublicClientId;
}

/** The clients of Parley's own: a browser's session, and a command line or device. */
export type PublicClientId = 'parley-web' | 'parley-cli';

/** Who calls an agent through the gateway: a person or an app, known by an agent token for that one agent. */
export interface CallerActor {
  kind: 'caller';
  /** Owner of tasks and contexts: `usr_…` or `app_…`. */
  principal: string;
  /** What the agent token lives and dies with: a session, an access token, an app's secret, a delegation. */
  credentialId: string;
  /** The `jti` of the agent token; none for a person in their own chat. */
  tokenId?: string;
  /** Set for an agent that acts for the principal: the only tasks it reaches are those with this key. */
  delegation?: string;
  agentId: string;
  clientId: string;
  scopes: AgentScope[];
}

export interface AnonymousActor {
  kind: 'anonymous';
}

export type Actor = UserActor | AppActor | PublicClientActor | CallerActor | AnonymousActor;

/** What every use case gets beside its input. It never sees a request, a cookie or a header. */
export interface Ctx {
  actor: Actor;
  requestId: string;
  /** Aborts when the caller goes away or the server stops. */
  signal: AbortSignal;
  now: Date;
  /** The trace that the request belongs to, when its sender named one. */
  trace?: Trace;
}
