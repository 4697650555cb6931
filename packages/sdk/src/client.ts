import { AgentTokens, type Authorize, handshakeWith } from './agent-tokens.js';
import type { AgentToken } from './exchange.js';
import { type Fetch, originOf } from './request.js';
import { callRpc, type RpcLine } from './rpc.js';
import { streamEvents } from './stream.js';
import type { Part, SendResult, StreamEvent, Task } from './wire.js';

interface Common {
  /** The Parley: `https://parley.example`. */
  url: string;
  fetch?: Fetch;
}

/** Who calls: a person by their access token, or an agent that acts for somebody (`authorize`). */
export type ClientOptions = Common &
  (
    | { accessToken: string | (() => string | Promise<string>); authorize?: undefined }
    | { authorize: Authorize; accessToken?: undefined }
  );

/** A message to an agent; a text alone stands for `{ text }`. */
export interface NewMessage {
  text?: string;
  /** What comes after the text: files and data. */
  parts?: Part[];
  /** The conversation it belongs to. */
  contextId?: string;
  /** The task that it answers or continues. */
  taskId?: string;
  /** A UUID; a message that is sent twice under the same one runs once. */
  messageId?: string;
  metadata?: Record<string, unknown>;
}

export interface CallOptions {
  /** Ends the waiting; the task goes on until it is cancelled. */
  signal?: AbortSignal;
}

export interface SendOptions extends CallOptions {
  /** Answers with the task as soon as there is one. */
  returnImmediately?: boolean;
}

/** Calls agents through Parley, in A2A 1.0 whatever the agent speaks. Every method throws `ParleyError`. */
export interface Client {
  /** A token for one agent; kept until shortly before it ends. */
  handshake(agent: string): Promise<AgentToken>;
  /** Sends a message and waits for the answer, or until the agent asks something. */
  send(agent: string, message: string | NewMessage, options?: SendOptions): Promise<SendResult>;
  /** Sends a message and yields what comes as it comes; goes on by itself where a connection broke. */
  stream(
    agent: string,
    message: string | NewMessage,
    options?: CallOptions,
  ): AsyncGenerator<StreamEvent, void, undefined>;
  /** The task as it stands. */
  task(agent: string, taskId: string, options?: CallOptions): Promise<Task>;
  /** Asks the agent to stop. */
  cancel(agent: string, taskId: string, options?: CallOptions): Promise<Task>;
}

/** A client of one Parley for one caller. @throws {TypeError} when `url` is no origin */
export function createClient(options: ClientOptions): Client {
  const origin = originOf(options.url);
  const fetch: Fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const authorize = options.authorize ?? handshakeWith({ origin, accessToken: options.accessToken, fetch });
  const tokens = new AgentTokens(authorize);
  const line: RpcLine = { tokens, fetch };
  return {
    handshake: (agent) => tokens.get(agent),
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
