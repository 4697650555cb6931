import { AgentTokens, type Authorize, handshakeWith } from './agent-tokens.js';
import type { AgentToken } from './exchange.js';
import { type Fetch, originOf } from './request.js';
import { MAX_RETRIES, type Retry, retryWhenBusy } from './retry.js';
import { callRpc, type RpcTransport } from './rpc.js';
import { streamEvents } from './stream.js';
import type { Part, SendResult, StreamEvent, Task } from './wire.js';

interface Common {
  /** Origin of the Parley: `https://parley.example`. */
  url: string;
  fetch?: Fetch;
  /**
   * Maximum number of retries of a call that Parley is too busy to serve (429 or 503 with a `Retry-After` of at most 30
   * s); defaults to 3. A message whose `messageId` is not a UUID is not repeated.
   */
  maxRetries?: number;
  /** Called before the delay of each retry. */
  onRetry?: (retry: Retry) => void;
}

/** The caller: a user with an access token, or an agent that acts on behalf of a user (`authorize`). */
export type ClientOptions = Common &
  (
    | { accessToken: string | (() => string | Promise<string>); authorize?: undefined }
    | { authorize: Authorize; accessToken?: undefined }
  );

/** A message to an agent; a string is short for `{ text }`. */
export interface NewMessage {
  text?: string;
  /** Files and data, after the text. */
  parts?: Part[];
  /** The conversation. */
  contextId?: string;
  /** The task that the message answers or continues. */
  taskId?: string;
  /** A UUID; a message sent twice with the same id is processed once. */
  messageId?: string;
  metadata?: Record<string, unknown>;
}

export interface CallOptions {
  /** Stops waiting; the task continues until it is canceled. */
  signal?: AbortSignal;
}

export interface SendOptions extends CallOptions {
  /** Returns the task as soon as it exists. */
  returnImmediately?: boolean;
}

/**
 * Calls agents through Parley, in A2A 1.0 regardless of the version that the agent supports. Every method throws
 * `ParleyError`.
 */
export interface Client {
  /** Returns a token for one agent; cached until shortly before it expires. */
  handshake(agent: string): Promise<AgentToken>;
  /** Sends a message and waits for the result, or until the agent asks a question. */
  send(agent: string, message: string | NewMessage, options?: SendOptions): Promise<SendResult>;
  /** Sends a message and yields its events; resumes automatically after a disconnect. */
  stream(
    agent: string,
    message: string | NewMessage,
    options?: CallOptions,
  ): AsyncGenerator<StreamEvent, void, undefined>;
  /** Returns the task's current state. */
  task(agent: string, taskId: string, options?: CallOptions): Promise<Task>;
  /** Asks the agent to cancel the task. */
  cancel(agent: string, taskId: string, options?: CallOptions): Promise<Task>;
}

/** Creates a client of one Parley for one caller. @throws {TypeError} if `url` is not an origin */
export function createClient(options: ClientOptions): Client {
  const origin = originOf(options.url);
  const fetch: Fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const retry = { maxRetries: options.maxRetries ?? MAX_RETRIES, onRetry: options.onRetry };
  const authorize = options.authorize ?? handshakeWith({ origin, accessToken: options.accessToken, fetch });
  const tokens = new AgentTokens(authorize);
  const line: RpcTransport = { tokens, fetch, retry };
  return {
    handshake: (agent) => retryWhenBusy(() => tokens.get(agent), retry),
    send: (agent, message, { signal, returnImmediately } = {}) => {
      const params = { ...paramsOf(message), ...(returnImmediately && { configuration: { returnImmediately } }) };
      return callRpc(line, { agent, method: 'SendMessage', params, signal });
    },
    stream: (agent, message, { signal } = {}) =>
      streamEvents(line, { agent, method: 'SendStreamingMessage', params: paramsOf(message), signal }),
    task: (agent, id, { signal } = {}) => callRpc(line, { agent, method: 'GetTask', params: { id }, signal }),
    cancel: (agent, id, { signal } = {}) => callRpc(line, { agent, method: 'CancelTask', params: { id }, signal }),
  };
}

function paramsOf(message: string | NewMessage): object {
  const { text, parts = [], messageId, ...place } = typeof message === 'string' ? { text: message } : message;
  const all: Part[] = text === undefined ? parts : [{ text }, ...parts];
  return { message: { messageId: messageId ?? crypto.randomUUID(), role: 'ROLE_USER', parts: all, ...place } };
}
