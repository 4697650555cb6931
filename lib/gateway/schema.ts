import type { CredentialView } from '../tokens/schema';

/** One event of an agent's stream. */
export interface HttpExchangeEvent {
  /** Milliseconds after the request. */
  ms: number;
  bytes: number;
  text: string;
}

/** One request of Parley to an agent and its whole response; secrets are redacted, long texts truncated. */
export interface HttpExchange {
  /** ISO 8601, UTC. */
  at: string;
  /** Duration, milliseconds. */
  ms: number;
  /** The A2A method, and the protocol version and binding. */
  method: string;
  dialect: string;
  requestId: string;
  request: { method: string; url: string; headers: Record<string, string>; body: string; bytes: number };
  /** Null when there was no response. */
  answer: {
    status: number;
    headers: Record<string, string>;
    bytes: number;
    events: HttpExchangeEvent[];
    moreEvents: number;
  } | null;
  failure: { code: string; message: string } | null;
}

/** A push receiver of one of the user's tasks, without its secrets. */
export interface PushReceiver {
  id: string;
  /** Host and port of its URL; the path may be a secret. */
  host: string;
  taskId: string;
  agent: { slug: string; name: string } | null;
  /** The credential that created it and whose revocation deletes it. */
  credential: CredentialView;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** True when everything was sent and no further push will follow. */
  isOver: boolean;
}
