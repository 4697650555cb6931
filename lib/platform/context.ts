import { newHex } from './ids';
import type { AccessScope, AgentScope, ConnectionScope } from './scopes';

/** A user and the credential that identified them. Revocation refers to `credential.id`. */
export interface UserActor {
  kind: 'user';
  userId: string;
  email: string;
  name: string;
  credential:
    | { kind: 'session'; id: string }
    | { kind: 'access-token'; id: string; scopes: AccessScope[] }
    /** An access token of a connected app, which is valid for one resource only. */
    | { kind: 'connection'; id: string; scopes: ConnectionScope[] };
}

/** A visitor without an account, in one browser. Only chat operations that name guests permit them. */
export interface GuestActor {
  kind: 'guest';
  /** `gst_…`: the owner of the guest's conversations and tasks, and also the guest's credential. */
  userId: string;
  credential: { kind: 'guest'; id: string };
}

/** A developer app that authenticated with its client credentials. */
export interface AppActor {
  kind: 'app';
  appId: string;
  clientId: string;
  /** The id of the secret. */
  credentialId: string;
}

/** A first-party client without a secret (RFC 6749 §2.1): its permissions are those of the tokens it presents. */
export interface PublicClientActor {
  kind: 'public-client';
  clientId: PublicClientId;
}

/** Any other OAuth client without a secret. Any program can claim its identity. */
export interface OAuthClientActor {
  kind: 'oauth-client';
  clientId: string;
}

/** Parley's own clients: a browser session, and the CLI or a device. */
export type PublicClientId = 'parley-web' | 'parley-cli';

/** The caller of an agent through the gateway: a user or an app, authenticated by a token for this agent only. */
export interface CallerActor {
  kind: 'caller';
  /** The owner of tasks and contexts: `usr_…`, `app_…`, or `pyr_…` for a payer without an account. */
  principal: string;
  /**
   * The credential whose revocation revokes the agent token: a session, an access token, an app secret or a delegation.
   */
  credentialId: string;
  /** The `jti` of the agent token; absent for a user in their own chat. */
  tokenId?: string;
  /** The delegation of an agent that acts for the principal. It limits the tasks that the agent can access. */
  delegation?: string;
  agentId: string;
  clientId: string;
  scopes: AgentScope[];
}

/** The principal of a caller without a token who has not paid yet, and who owns nothing. */
export const NO_PRINCIPAL = '';

export interface AnonymousActor {
  kind: 'anonymous';
}

export type Actor =
  | UserActor
  | GuestActor
  | AppActor
  | PublicClientActor
  | OAuthClientActor
  | CallerActor
  | AnonymousActor;

/** The context of every use case, independent of requests, cookies and headers. */
export interface Ctx {
  actor: Actor;
  requestId: string;
  /** Aborted when the caller disconnects or the server stops. */
  signal: AbortSignal;
  now: Date;
  /** The trace of the request, if the caller sent one. */
  trace?: Trace;
}

/** The argument of a use case. */
export interface Call<Input> {
  ctx: Ctx;
  input: Input;
}

/** The trace of a call (W3C Trace Context), propagated from the caller's headers. */
export interface Trace {
  /** 32 hex digits. */
  traceId: string;
  /** The caller's span, 16 hex digits. */
  spanId: string;
  /** Two hex digits. */
  flags: string;
  state?: string;
}

const traceparentPattern = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/**
 * Reads the caller's trace; undefined if `traceparent` is missing or malformed, which also invalidates `tracestate`.
 */
export function readTrace(headers: Pick<Headers, 'get'>): Trace | undefined {
  const [, version, traceId, spanId, flags, more] = traceparentPattern.exec(headers.get('traceparent') ?? '') ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && more !== undefined)) return undefined;
  const state = headers.get('tracestate') ?? '';
  return { traceId, spanId, flags, ...(/^[\x20-\x7e]{1,512}$/.test(state) && { state }) };
}

/** Returns the headers of a new span, in the given trace or in a new one. */
export function traceHeaders(trace: Trace | undefined): Record<string, string> {
  const { traceId, flags, state } = trace ?? { traceId: newHex(16), flags: '00', state: undefined };
  return { traceparent: `00-${traceId}-${newHex(8)}-${flags}`, ...(state && { tracestate: state }) };
}
