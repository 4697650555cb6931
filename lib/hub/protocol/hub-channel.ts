import { ParleyError } from '../../platform/errors';
import { errorFields, log } from '../../platform/runtime/log';
import { writeRequest } from '../../protocol/hub/frames';
import { type OfferResult, offerResult } from '../../protocol/hub/hub-schema';
import type { JsonObject, JsonValue } from '../../protocol/json';
import type { ChannelRun, RunChannel, WorkerSocket } from '../channel';
import { CANCEL_ANSWER_MS, OFFER_TIMEOUT_MS } from '../limits';

interface PendingRequest {
  resolve: (result: JsonValue) => void;
  reject: (error: Error) => void;
}

/** The channel of a worker that uses `parley.hub.v1`. */
export class HubChannel implements RunChannel {
  private closed = false;
  private readonly requests = new Map<string, PendingRequest>();
  private lastRequestId = 0;

  constructor(private readonly socket: WorkerSocket) {}

  async offer({ runId, epoch }: ChannelRun, offer: JsonObject): Promise<OfferResult> {
    try {
      const answer = offerResult.safeParse(
        await this.request('run.offer', { runId, epoch, ...offer }, OFFER_TIMEOUT_MS),
      );
      return answer.success ? answer.data : { accept: false, reason: 'cannot' };
    } catch (error) {
      log.info('hub.offer_failed', { runId, ...errorFields(error) });
      return { accept: false, reason: 'busy', retryAfterMs: OFFER_TIMEOUT_MS };
    }
  }

  start({ runId, epoch }: ChannelRun): void {
    this.notify('run.start', { runId, epoch });
  }

  acknowledge({ runId }: ChannelRun, n: number): void {
    this.notify('run.ack', { runId, n });
  }

  cancel({ runId, epoch }: ChannelRun, reason?: string): void {
    const params = { runId, epoch, ...(reason !== undefined && { reason }) };
    this.request('run.cancel', params, CANCEL_ANSWER_MS).catch((error) =>
      log.info('hub.cancel_unanswered', { runId, ...errorFields(error) }),
    );
  }

  drain(reconnectWithinMs: number): void {
    this.notify('hub.draining', { reconnectWithinMs });
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** Fails open requests. */
  end(): void {
    this.closed = true;
    for (const { reject } of this.requests.values()) reject(disconnected());
    this.requests.clear();
  }

  notify(method: string, params: JsonObject): void {
    if (!this.closed) this.socket.send(writeRequest(method, params));
  }

  /** Sends a notification, and resolves when the worker's connection can accept more. */
  async notifyFlushed(method: string, params: JsonObject): Promise<void> {
    if (!this.closed) await this.socket.sendFlushed(writeRequest(method, params));
  }

  /** Handles the worker's response to a request. Ignores a response with an unknown id, which is late. */
  receiveResponse({ id, result, error }: { id: string; result: JsonValue; error: JsonObject | null }): void {
    const pending = this.requests.get(id);
    this.requests.delete(id);
    if (error) pending?.reject(new ParleyError('agent_misbehaved', 'The worker returned an error.'));
    else pending?.resolve(result);
  }

  /**
   * Sends a request and resolves with its result.
   * @throws {ParleyError} `agent_unreachable` if the connection closes, `agent_timeout` after `timeoutMs`
   *   milliseconds, `agent_misbehaved` if the worker answers with an error
   */
  private request(method: string, params: JsonObject, timeoutMs: number): Promise<JsonValue> {
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
}

function disconnected(): ParleyError {
  return new ParleyError('agent_unreachable', 'The worker disconnected.');
}
