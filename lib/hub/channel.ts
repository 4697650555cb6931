import { ParleyError } from '../platform/errors';
import { errorFields, log } from '../platform/runtime/log';
import { HUB_ERROR_CODE, HubError } from '../protocol/hub/errors';
import type { OfferResult } from '../protocol/hub/hub-schema';
import type { JsonObject, JsonValue } from '../protocol/json';
import { ProtocolError } from '../protocol/protocol-error';

/** The part of a run that the channel of its worker uses. */
export interface ChannelRun {
  runId: string;
  epoch: number;
  /** Queues events that the hub writes for a worker. */
  append: (items: JsonObject[]) => void;
}

/** The hub's messages to one worker about its runs, in the worker's protocol. */
export interface RunChannel {
  /** Offers a run and resolves with the worker's answer. Never rejects. */
  offer: (run: ChannelRun, offer: JsonObject) => Promise<OfferResult>;
  /** Starts the worker. `offer` is the accepted offer; null if the worker reconnected for the run. */
  start: (run: ChannelRun, offer: JsonObject | null) => void;
  /** Acknowledges all events up to the n-th, which are persisted. */
  acknowledge: (run: ChannelRun, n: number) => void;
  /** Asks the worker to stop. The run's last status follows as an event. */
  cancel: (run: ChannelRun, reason?: string) => void;
  /** Asks the worker to reconnect to another node. */
  drain: (reconnectWithinMs: number) => void;
  close: (code: number, reason: string) => void;
  /** Must be called when the connection has closed. */
  end: () => void;
}

/** The operations of a worker's socket that a channel uses. */
export interface WorkerSocket {
  send: (text: string) => void;
  /** Resolves when the operating system has accepted the text, or the connection has closed. */
  sendFlushed: (text: string) => Promise<void>;
  close: (code: number, reason: string) => void;
}

const rpcCodes: Record<string, number> = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
};

/** Converts an error to a JSON-RPC error object. Logs an unexpected error of Parley. */
export function toRpcError(error: unknown): { code: number; message: string; data?: JsonValue } {
  if (error instanceof HubError) return error.toRpc();
  if (error instanceof ProtocolError) {
    const { code, message } = error;
    return { code: rpcCodes[code] ?? -32602, message, data: { reason: code, retryable: false } };
  }
  if (error instanceof ParleyError) {
    const { code: reason, message, retryAfter } = error;
    const retry =
      retryAfter === undefined ? { retryable: false } : { retryable: true, retryAfterMs: retryAfter * 1_000 };
    return { code: HUB_ERROR_CODE, message, data: { reason, ...retry } };
  }
  log.error('hub.request_failed', errorFields(error));
  return { code: -32603, message: 'Something went wrong on our side.' };
}
