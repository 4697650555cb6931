import { writeRequest } from '../../protocol/hub/frames';
import type { OfferResult } from '../../protocol/hub/hub-schema';
import { toTaskExecute } from '../../protocol/hub/society';
import type { JsonObject } from '../../protocol/json';
import type { ChannelRun, RunChannel, WorkerSocket } from '../channel';

const NOT_TOLD = 'Canceled. The agent cannot be notified and may still be working.';

/**
 * The channel of a Society AI client. Its protocol has no offers: a run counts as accepted, and as started when it is
 * written to the socket, so that it is never sent twice.
 */
export class SocietyChannel implements RunChannel {
  private closed = false;

  constructor(private readonly socket: WorkerSocket) {}

  offer(): Promise<OfferResult> {
    return Promise.resolve({ accept: true });
  }

  start({ runId }: ChannelRun, offer: JsonObject | null): void {
    if (offer && !this.closed) this.socket.send(writeRequest('task.execute', toTaskExecute(offer), runId));
  }

  acknowledge(): void {
    // The protocol has no acknowledgments.
  }

  /** Ends the run here, because the protocol has no cancel. Later frames of the client are dropped. */
  cancel(run: ChannelRun): void {
    const message = { role: 'agent', parts: [{ text: NOT_TOLD }] };
    run.append([{ statusUpdate: { status: { state: 'canceled', message } } }]);
  }

  drain(): void {
    // The protocol has no message for it. The client reconnects when the connection closes.
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  end(): void {
    this.closed = true;
  }

  /** Sends a notification. */
  notify(method: string, params: JsonObject): void {
    if (!this.closed) this.socket.send(writeRequest(method, params));
  }
}
