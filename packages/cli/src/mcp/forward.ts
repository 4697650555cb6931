import { randomUUID } from 'node:crypto';
import { hintOf } from '../failure.js';
import {
  errorTo,
  headersOf,
  INTERNAL_ERROR,
  isRequest,
  type Message,
  membersOf,
  PARSE_ERROR,
  readMessage,
  revisionOf,
} from './message.js';
import { postMessage } from './post-message.js';

export interface ForwarderOptions {
  /** The remote MCP server. */
  url: string;
  accessToken: () => Promise<string>;
  /** Sends a message to the host. */
  write: (message: Message) => void;
  /** Ends all requests. */
  signal: AbortSignal;
}

/** A request without a response yet. */
interface Running {
  /** Id of the request at the remote server: unique, because hosts with the same credential use the same ids. */
  remoteId: string;
  isModern: boolean;
  abort: () => void;
}

/** Forwards the messages of one host to a remote MCP server, and the server's responses to the host. */
export class Forwarder {
  private readonly running = new Map<unknown, Running>();
  /** The revision negotiated by `initialize`; later requests of such a revision repeat it in a header. */
  private agreed: string | null = null;

  constructor(private readonly options: ForwarderOptions) {}

  /** Forwards a line, and resolves when its response is written. Never throws: a failure becomes an error response. */
  async forward(line: string): Promise<void> {
    const message = readMessage(line);
    if (!message) {
      const error = { code: PARSE_ERROR, message: 'Expected one JSON-RPC message a line.' };
      this.options.write(errorTo(null, error));
    } else if (isRequest(message)) await this.request(message);
    else await this.notify(message);
  }

  private async request(message: Message): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    const running = { remoteId: randomUUID(), isModern: revisionOf(message) !== null, abort: () => controller.abort() };
    this.running.set(id, running);
    try {
      let hasAnswer = false;
      const signal = AbortSignal.any([controller.signal, this.options.signal]);
      for await (const answer of this.post({ ...message, id: running.remoteId }, signal)) {
        const isAnswer = 'result' in answer || 'error' in answer;
        if (isAnswer && message.method === 'initialize') this.agreed = agreedRevision(answer);
        hasAnswer ||= isAnswer;
        this.options.write(isAnswer ? { ...answer, id } : answer);
      }
      if (!hasAnswer) throw new Error('The response ended before its result.');
    } catch (error) {
      if (!controller.signal.aborted) this.options.write(errorTo(id, { code: INTERNAL_ERROR, message: textOf(error) }));
    } finally {
      if (this.running.get(id) === running) this.running.delete(id);
    }
  }

  /**
   * Forwards a notification. A request of 2026-07-28 or later is canceled by closing its response, an earlier one by
   * this notification.
   */
  private async notify(message: Message): Promise<void> {
    const params = membersOf(message.params);
    const canceled = message.method === 'notifications/cancelled' ? this.running.get(params.requestId) : undefined;
    if (canceled?.isModern) {
      canceled.abort();
      return;
    }
    const sent = canceled ? { ...message, params: { ...params, requestId: canceled.remoteId } } : message;
    try {
      for await (const answer of this.post(sent, this.options.signal)) void answer;
    } catch {
      // A notification has no response.
    }
  }

  private async *post(message: Message, signal: AbortSignal): AsyncGenerator<Message, void> {
    const { url, accessToken } = this.options;
    const revision = revisionOf(message);
    const agreed: Record<string, string> = this.agreed === null ? {} : { 'mcp-protocol-version': this.agreed };
    const headers = revision === null ? agreed : headersOf(message, revision);
    yield* postMessage({ url, token: await accessToken(), message, headers, signal });
  }
}

function agreedRevision({ result }: Message): string | null {
  const { protocolVersion } = membersOf(result);
  return typeof protocolVersion === 'string' ? protocolVersion : null;
}

function textOf(error: unknown): string {
  const hint = hintOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return hint ? `${text} ${hint}` : text;
}
