import { isResponse, type McpRequest, type McpTransport } from '@parley/agent/mcp';
import { ParleyError } from '../errors';
import { isObject, parseJson } from '../json';
import {
  MAX_MCP_ERROR_BYTES,
  MAX_MCP_MEMBERS,
  MAX_MCP_MESSAGE_BYTES,
  MAX_MCP_STREAM_BYTES,
  MCP_NOTIFICATION_TIMEOUT_MS,
  MCP_QUESTION_TIMEOUT_MS,
} from '../limits';
import type { ResponseReader } from './response-reader';
import { fetchExternal } from './safe-fetch';
import { readSse } from './sse';

type Message = Record<string, unknown>;

/** A session with a server, which later requests name. */
export interface McpSession {
  /** `Mcp-Session-Id`; null if the server has no sessions. */
  id: string | null;
  protocolVersion: string;
}

/** One HTTP request of the transport, for a record. */
export interface McpHttpRequest {
  method: 'POST';
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The method of MCP. */
  name: string;
}

export interface McpHttpOptions {
  url: string;
  /** Headers of every request, such as a credential. */
  headers: Record<string, string>;
  /** Timeout of the headers of a response, and of the next event of a stream, milliseconds. */
  waitMs: number;
  idleMs: number;
  onRequest?: (request: McpHttpRequest) => void;
  onResponse?: (status: number, headers: Record<string, string>) => void;
  onChunk?: (chunk: Uint8Array) => void;
}

/** A response with an error status that contains no message of MCP. */
export class McpHttpError extends Error {
  override readonly name = 'McpHttpError';

  constructor(
    readonly status: number,
    readonly headers: Record<string, string>,
  ) {
    super(`The MCP server returned HTTP ${status}.`);
  }
}

/** Header values of a server that are sent back to it. */
const sessionId = /^[\x21-\x7e]{1,512}$/;

/**
 * MCP over HTTP (MCP 2025-11-25, Streamable HTTP): each message is a request, and the response to it is JSON or a stream.
 * Requests go through the address guard of {@link fetchExternal}. A response that belongs to another request is ignored.
 */
export class McpHttpTransport implements McpTransport {
  session: McpSession | null = null;
  /** The server has accepted a call of a tool, which must not be sent again. */
  hasCalled = false;

  constructor(public options: McpHttpOptions) {}

  async *request(message: McpRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<Message, void, undefined> {
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      const response = await this.post(message, { signal: controller.signal, waitMs: this.options.waitMs });
      if (message.method === 'initialize') this.begin(response.headers);
      if (message.method === 'tools/call' && response.status < 400) this.hasCalled = true;
      const messages = isEventStream(response) ? this.readEvents(response, controller) : this.readBody(response);
      for await (const received of messages) {
        if (!isResponse(received)) yield received;
        else if (String(received.id) === String(message.id)) {
          this.agree(message, received);
          return yield received;
        }
      }
    } finally {
      signal.removeEventListener('abort', abort);
      controller.abort(new DOMException('The request is over.', 'AbortError'));
    }
  }

  async send(message: Message): Promise<void> {
    const signal = AbortSignal.timeout(MCP_NOTIFICATION_TIMEOUT_MS);
    const response = await this.post(message, { signal, waitMs: MCP_NOTIFICATION_TIMEOUT_MS });
    if (response.status >= 400) throw new McpHttpError(response.status, response.headers);
    await response.buffer(MAX_MCP_ERROR_BYTES);
  }

  private post(message: Message, { signal, waitMs }: { signal: AbortSignal; waitMs: number }): Promise<ResponseReader> {
    const { url, onRequest, onResponse, onChunk } = this.options;
    const { session } = this;
    const headers = {
      ...this.options.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session?.protocolVersion && { 'mcp-protocol-version': session.protocolVersion }),
      ...(session?.id && { 'mcp-session-id': session.id }),
    };
    const body = JSON.stringify(message);
    onRequest?.({
      method: 'POST',
      url,
      headers,
      body,
      name: typeof message.method === 'string' ? message.method : 'response',
    });
    return fetchExternal({
      ...{ url, method: 'POST', headers, body, signal, waitMs, onChunk },
      waitFor: 'headers',
      // Longer than the wait for a user, during which the server sends nothing.
      silenceTimeoutMs: MCP_QUESTION_TIMEOUT_MS,
      maxBytes: MAX_MCP_STREAM_BYTES,
    }).then((response) => {
      onResponse?.(response.status, response.headers);
      return response;
    });
  }

  private begin(headers: Record<string, string>): void {
    const id = headers['mcp-session-id'];
    this.session = { id: id !== undefined && sessionId.test(id) ? id : null, protocolVersion: '' };
  }

  /** Later requests name the revision of the response to `initialize`. */
  private agree({ method }: Message, { result }: Message): void {
    const { protocolVersion } = Object(result) as Message;
    if (
      method === 'initialize' &&
      this.session &&
      typeof protocolVersion === 'string' &&
      sessionId.test(protocolVersion)
    )
      this.session = { ...this.session, protocolVersion };
  }

  /** Yields the messages of a stream. The time between two reads counts only while a message is awaited. */
  private async *readEvents(response: ResponseReader, controller: AbortController): AsyncGenerator<Message> {
    const events = readSse(response.chunks(), MAX_MCP_MESSAGE_BYTES);
    const { idleMs } = this.options;
    for (;;) {
      const timedOut = (): void =>
        controller.abort(new ParleyError('agent_timeout', `The MCP server sent nothing for ${idleMs / 1_000} s.`));
      const timer = setTimeout(timedOut, idleMs);
      const { done, value } = await events.next().finally(() => clearTimeout(timer));
      if (done) return;
      for (const { data } of value) if (data.trimStart().startsWith('{')) yield toMessage(data);
    }
  }

  /** Yields the message of a response, or those of a batch, which 2025-03-26 permits. */
  private async *readBody(response: ResponseReader): AsyncGenerator<Message> {
    const { status, headers } = response;
    const isError = status < 200 || status > 299;
    const bytes = await response.buffer(isError ? MAX_MCP_ERROR_BYTES : MAX_MCP_MESSAGE_BYTES);
    const value = tryJson(bytes.toString('utf8'));
    const messages = (Array.isArray(value) ? value : [value]).filter(isObject);
    // A session that has ended is reported by the status alone, whatever the body says.
    if (isError && (status === 404 || status === 401 || !messages.some(isResponse)))
      throw new McpHttpError(status, headers);
    if (!isError && messages.length === 0)
      throw new ParleyError('agent_misbehaved', "The MCP server's response is not a message of MCP.");
    yield* messages;
  }
}

function isEventStream({ status, headers }: ResponseReader): boolean {
  return status >= 200 && status < 300 && /^\s*text\/event-stream\s*(?:;|$)/i.test(headers['content-type'] ?? '');
}

function toMessage(text: string): Message {
  const value = tryJson(text);
  if (isObject(value)) return value;
  throw new ParleyError('agent_misbehaved', "The MCP server's response is not a message of MCP.");
}

function tryJson(text: string): unknown {
  try {
    return parseJson(text, MAX_MCP_MEMBERS);
  } catch {
    return null;
  }
}
