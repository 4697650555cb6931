import type { Trace } from './trace';

/** Scopes of personal access tokens. */
export type AccessScope = 'agents:read' | 'agents:write' | 'handshake';

/** Scopes of agent tokens. */
export type AgentScope = 'agent:call' | 'profile' | 'email' | 'delegate';

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
}

/** Who calls an agent through the gateway: a person (or later an app), known by an agent token for that one agent. */
export interface CallerActor {
  kind: 'caller';
  /** Owner of tasks and contexts: `usr_…` or `app_…`. */
  principal: string;
  /** The session, access token or app behind the agent token. */
  credentialId: string;
  agentId: string;
  clientId: string;
  scopes: AgentScope[];
}

export interface AnonymousActor {
  kind: 'anonymous';
}

export type Actor = UserActor | AppActor | CallerActor | AnonymousActor;

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
