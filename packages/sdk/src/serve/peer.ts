import { ParleyError } from '../errors.js';
import { readRpcReason } from '../request.js';
import type { Clock } from './clock.js';
import type { Socket } from './open-socket.js';

export type JsonObject = Record<string, unknown>;

/** Handlers of the hub's requests and notifications, by method. The result of a notification is dropped. */
export type Methods = Record<string, (params: JsonObject) => JsonObject | undefined>;

export interface RequestOptions {
  /** Timeout of the response; null waits as long as the connection exists. */
  timeoutMs?: number | null;
  /** Called with the result before any later frame is read. */
  onResult?: (result: JsonObject) => void;
}

export interface Closed {
  code: number;
  reason: string;
}

interface Pending {
  resolve: (result: JsonObject) => void;
  reject: (error: ParleyError) => void;
  onResult?: (result: JsonObject) => void;
}

const REQUEST_TIMEOUT_MS = 30_000;
const METHOD_NOT_FOUND = { code: -32601, message: 'Method not found' };
const INVALID_PARAMS = { code: -32602, message: 'Invalid params' };
/** Abnormal closure: reported by a socket that ended without a close frame (RFC 6455, section 7.4.1). */
const ABNORMAL = 1006;

/** JSON-RPC 2.0 in both directions over one open WebSocket: one object in each text frame. */
export class Peer {
  readonly closed: Promise<Closed>;
  isOpen = true;
  /** Arrival time of the last frame, in milliseconds since 1970. */
  lastFrameAt: number;
  private readonly pending = new Map<string, Pending>();
  private lastId = 0;
  private finish: (closed: Closed) => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly methods: Methods,
    private readonly clock: Clock,
  ) {
    this.lastFrameAt = clock.now();
    this.closed = new Promise((resolve) => {
      this.finish = resolve;
    });
    socket.onmessage = ({ data }) => this.receive(data);
    socket.onclose = ({ code, reason }) => this.end({ code, reason });
    socket.onerror = () => undefined;
  }

  /** Sends a frame; without a connection it is lost. */
  send(text: string): void {
    if (this.isOpen) this.socket.send(text);
  }

  notify(method: string, params: JsonObject): void {
    this.send(JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  /**
   * Sends a request and resolves with its result.
   * @throws {ParleyError} with the hub's reason, `disconnected`, or `unreachable` after the timeout
   */
  request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
    const { timeoutMs = REQUEST_TIMEOUT_MS, onResult } = options;
    if (!this.isOpen) return Promise.reject(disconnected());
    this.lastId += 1;
    const id = `w-${this.lastId}`;
    return new Promise<JsonObject>((resolve, reject) => {
      const late = (): void => {
        this.pending.delete(id);
        reject(new ParleyError('unreachable', `Parley did not respond to ${method} in time.`));
      };
      const cancel = timeoutMs === null ? () => undefined : this.clock.setTimer(late, timeoutMs);
      const settle = <Value>(then: (value: Value) => void) => {
        return (value: Value): void => {
          cancel();
          then(value);
        };
      };
      this.pending.set(id, { resolve: settle(resolve), reject: settle(reject), onResult });
      this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  }

  close(code: number, reason = ''): void {
    if (this.isOpen) this.socket.close(code, reason);
  }

  /** Ends the connection without waiting for the other side, which does not respond. */
  abandon(): void {
    this.socket.close();
    this.end({ code: ABNORMAL, reason: 'no answer' });
  }

  private end(closed: Closed): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const { reject } of this.pending.values()) reject(disconnected());
    this.pending.clear();
    this.finish(closed);
  }

  private receive(data: unknown): void {
    if (!this.isOpen) return;
    this.lastFrameAt = this.clock.now();
    const frame = typeof data === 'string' ? parseObject(data) : null;
    if (!frame) this.close(4400, 'Expected one JSON-RPC object in a text frame.');
    else if (typeof frame.method === 'string') this.answer(frame.method, frame);
    else this.settle(frame);
  }

  private settle({ id, result, error }: JsonObject): void {
    const pending = this.pending.get(String(id));
    this.pending.delete(String(id));
    if (!pending) return;
    if (isObject(error)) {
      pending.reject(readRpcError(error));
      return;
    }
    const value = isObject(result) ? result : {};
    pending.onResult?.(value);
    pending.resolve(value);
  }

  private answer(name: string, { id, params }: JsonObject): void {
    const method = Object.hasOwn(this.methods, name) ? this.methods[name] : undefined;
    const outcome = method ? call(method, isObject(params) ? params : {}) : { error: METHOD_NOT_FOUND };
    if (id !== undefined) this.send(JSON.stringify({ jsonrpc: '2.0', id, ...outcome }));
  }
}

/** Calls a method. Invalid params must not end the process. */
function call(method: Methods[string], params: JsonObject): JsonObject {
  try {
    return { result: method(params) ?? {} };
  } catch {
    return { error: INVALID_PARAMS };
  }
}

/** Returns true for an error that may not occur on another connection. */
export function isDisconnected(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'disconnected';
}

function disconnected(): ParleyError {
  return new ParleyError('disconnected', 'The connection to Parley was closed.');
}

/** Converts a JSON-RPC error object of the hub. */
export function readRpcError(error: JsonObject): ParleyError {
  const { code, message, details } = readRpcReason(error);
  const { retryAfterMs } = isObject(error.data) ? error.data : {};
  const retryAfter = typeof retryAfterMs === 'number' ? retryAfterMs / 1_000 : null;
  return new ParleyError(code, message, { details, retryAfter });
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
