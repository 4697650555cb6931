import { randomUUID } from 'node:crypto';
import { ParleyError } from '../platform/errors';
import { writeRequest } from '../protocol/hub/frames';
import type { OfferResult } from '../protocol/hub/schema';
import type { JsonObject, JsonValue } from '../protocol/json';
import { REFUSED_OFFER_PAUSE_MS } from './limits';

/** What a session needs of its socket. */
export interface WorkerSocket {
  send: (text: string) => void;
  close: (code: number, reason: string) => void;
}

/** A run of the session; see `delivery.ts`. */
interface SessionRun {
  detach: (session: WorkerSession) => void;
}

/** A worker that said hello: its connection, and the runs that it has. */
export interface WorkerIdentity {
  agentId: string;
  workerId: string;
  capacity: number;
  redelivers: boolean;
}

interface PendingRequest {
  resolve: (result: JsonValue) => void;
  reject: (error: Error) => void;
}

/** One connection of a worker after its hello. */
export class WorkerSession {
  readonly id = randomUUID();
  readonly deliveries = new Set<SessionRun>();
  capacity: number;
  /** The worker accepts no more runs. */
  draining = false;
  /** A worker that is busy or cannot take runs gets no offer before this time, milliseconds since 1970. */
  pausedUntil = 0;
  closed = false;
  private readonly requests = new Map<string, PendingRequest>();
  private lastRequestId = 0;

  constructor(
    readonly identity: WorkerIdentity,
    private readonly socket: WorkerSocket,
  ) {
    this.capacity = identity.capacity;
  }

  /** Runs that it can take now. */
  credits(now: number): number {
    if (this.closed || this.draining || now < this.pausedUntil) return 0;
    return Math.max(0, this.capacity - this.deliveries.size);
  }

  /** After a refused offer. */
  pause({ reason, retryAfterMs = REFUSED_OFFER_PAUSE_MS }: Extract<OfferResult, { accept: false }>): void {
    if (reason === 'draining') this.draining = true;
    this.pausedUntil = Date.now() + retryAfterMs;
  }

  notify(method: string, params: JsonObject): void {
    if (!this.closed) this.socket.send(writeRequest(method, params));
  }

  /**
   * Sends a request and resolves with its result.
   * @throws {ParleyError} `agent_unreachable` when the connection closes, `agent_timeout` after `timeoutMs`
   *   milliseconds, `agent_misbehaved` when the worker answers with an error
   */
  request(method: string, params: JsonObject, timeoutMs: number): Promise<JsonValue> {
    if (this.closed) return Promise.reject(disconnected());
    this.lastRequestId += 1;
    const id = `hub-${this.lastRequestId}`;
    return new Promise<JsonValue>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.requests.delete(id);
        reject(new ParleyError('agent_timeout', `The worker did not answer ${method} in time.`));
      }, timeoutMs);
      const settle = <Value>(then: (value: Value) => void): ((value: Value) => void) => {
        return (value) => {
          clearTimeout(timer);
          then(value);
        };
      };
      this.requests.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.socket.send(writeRequest(method, params, id));
    });
  }

  /** The worker's response to a request. One to an unknown id is late and is ignored. */
  receiveResponse({ id, result, error }: { id: string; result: JsonValue; error: JsonObject | null }): void {
    const pending = this.requests.get(id);
    this.requests.delete(id);
    if (error) pending?.reject(new ParleyError('agent_misbehaved', 'The worker answered with an error.'));
    else pending?.resolve(result);
  }

  /** Closes the connection; its runs are detached when it has closed. */
  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** The connection has closed: fails open requests, and detaches the runs. */
  end(): void {
    if (this.closed) return;
    this.closed = true;
    for (const { reject } of this.requests.values()) reject(disconnected());
    this.requests.clear();
    for (const delivery of [...this.deliveries]) delivery.detach(this);
  }
}

function disconnected(): ParleyError {
  return new ParleyError('agent_unreachable', 'The worker disconnected.');
}
