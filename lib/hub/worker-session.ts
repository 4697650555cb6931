import { randomUUID } from 'node:crypto';
import type { OfferResult } from '../protocol/hub/hub-schema';
import type { RunChannel } from './channel';
import { REFUSED_OFFER_PAUSE_MS } from './limits';

/** A run of the session (see `delivery.ts`). */
interface SessionRun {
  detach: (session: WorkerSession) => void;
}

/** A connected worker of an agent, with its declared properties. */
export interface WorkerIdentity {
  agentId: string;
  workerId: string;
  capacity: number;
  redelivers: boolean;
}

/** One connection of a worker, after its hello, with its runs. */
export class WorkerSession {
  readonly id = randomUUID();
  readonly deliveries = new Set<SessionRun>();
  capacity: number;
  /** True if the worker accepts no more runs. */
  draining = false;
  /** The time before which a worker that is busy or cannot accept runs receives no offer, by `performance.now()`. */
  pausedUntil = 0;
  closed = false;

  constructor(
    readonly identity: WorkerIdentity,
    readonly channel: RunChannel,
    readonly connectedAt = new Date(),
  ) {
    this.capacity = identity.capacity;
  }

  /** Returns the number of runs that the worker can accept now. */
  credits(now: number): number {
    if (this.closed || this.draining || now < this.pausedUntil) return 0;
    return Math.max(0, this.capacity - this.deliveries.size);
  }

  /** Pauses offers after a refusal. */
  pause({ reason, retryAfterMs = REFUSED_OFFER_PAUSE_MS }: Extract<OfferResult, { accept: false }>): void {
    if (reason === 'draining') this.draining = true;
    this.pausedUntil = performance.now() + retryAfterMs;
  }

  /** Closes the connection. Its runs are detached when it has closed. */
  close(code: number, reason: string): void {
    this.channel.close(code, reason);
  }

  /** Detaches the runs after the connection has closed. */
  end(): void {
    if (this.closed) return;
    this.closed = true;
    this.channel.end();
    for (const delivery of [...this.deliveries]) delivery.detach(this);
  }
}
