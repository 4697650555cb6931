import type { CredentialView } from '../tokens/schema';

/** One event of an agent's stream. */
export interface HttpExchangeEvent {
  /** Milliseconds after the request. */
  ms: number;
  /** Bytes on the wire. */
  bytes: number;
  text: string;
}

/** One request of Parley to an agent and everything that came back; secrets are masked, long texts cut. */
export interface HttpExchange {
  /** ISO 8601, UTC. */
  at: string;
  /** Milliseconds until its end. */
  ms: number;
  /** Method of the wire, and the version and binding it is of. */
  method: string;
  dialect: string;
  requestId: string;
  request: { method: string; url: string; headers: Record<string, string>; body: string; bytes: number };
  /** Null when no answer came. */
  answer: {
    status: number;
    headers: Record<string, string>;
    bytes: number;
    events: HttpExchangeEvent[];
    moreEvents: number;
  } | null;
  failure: { code: string; message: string } | null;
}

/** Where updates of a task of the person's are pushed to, without its secrets. */
export interface PushReceiver {
  id: string;
  /** Host and port of its URL; the path may be a secret. */
  host: string;
  taskId: string;
  agent: { slug: string; name: string } | null;
  /** What it was set with, and what it ends with. */
  credential: CredentialView;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** True when everything was sent and nothing is to come. */
  isOver: boolean;
}
