import { randomUUID } from 'node:crypto';
import type { OfferResult } from '../protocol/hub/schema';
import { REFUSED_OFFER_PAUSE_MS } from './limits';
import type { RunChannel } from './run-channel';

/** A run of the session; see `delivery.ts`. */
interface SessionRun {
  detach: (session: WorkerSession) => void;
}

/** A connected worker of an agent, and what it declared. */
export interface WorkerIdentity {
  agentId: string;
  workerId: string;
  capacity: number;
  redelivers: boolean;
}

/** One connection of a worker, once it is known whom it serves, and the runs that it has. */
export class WorkerSession {
  readonly id = randomUUID();
  readonly deliveries = new Set<SessionRun>();
  capacity: number;
  /** The worker accepts no more runs. */
  draining = false;
  /** A worker that is busy or cannot take runs gets no offer before this time, milliseconds since 1970. */
  pausedUntil = 0;
  closed = false;

  constructor(
    readonly identity: WorkerIdentity,
    readonly channel: RunChannel,
    readonly connectedAt = new Date(),
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
    this.pausedUntil = performance.now() + retryAfterMs;
  }

  /** Closes the connection; its runs are detached when it has closed. */
  close(code: number, reason: string): void {
    this.channel.close(code, reason);
  }

  /** The connection has closed: detaches the runs. */
  end(): void {
    if (this.closed) return;
    this.closed = true;
    this.channel.end();
    for (const delivery of [...this.deliveries]) delivery.detach(this);
  }
}
