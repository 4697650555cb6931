import type { Writable } from 'node:stream';
import {
  declineRequest,
  isResponse,
  isServerRequest,
  McpError,
  type McpRequest,
  type McpTransport,
} from '@parley/agent/mcp';
import { readMessage } from '../mcp/message.js';
import { Inbox } from './inbox.js';
import { LineReader } from './line-reader.js';

type Message = Record<string, unknown>;

/** Maximum silence of the server in a request, in milliseconds. A first start may download the server. */
const CALL_MS = 300_000;
const INITIALIZE_MS = 120_000;
const REQUEST_MS = 30_000;
/** Maximum bytes that a server has not read. */
const MAX_UNREAD = 16_777_216;

export interface StdioEvents {
  onToolsChanged: () => void;
  /** Called with a problem of the server that ends no call. */
  onNote: (text: string) => void;
}

/**
 * MCP over the stdin and stdout of a process (MCP 2025-11-25, stdio): one message a line. Lines that are no messages,
 * second responses and unknown ids are ignored.
 */
export class StdioTransport implements McpTransport {
  private readonly inboxes = new Map<number, Inbox>();
  /** The calls without a response: those that run, and those that were canceled or abandoned, which may still ask. */
  private readonly unanswered = new Set<number>();
  private readonly reader: LineReader;
  private failure: McpError | null = null;
  private hasNoted = false;

  constructor(
    private readonly stdin: Writable,
    private readonly events: StdioEvents,
  ) {
    this.reader = new LineReader({
      onLine: (line) => this.receive(line),
      onTooLong: (id) => this.failTooLong(id),
    });
  }

  /** Reads output of the process. */
  readonly read = (chunk: Buffer): void => this.reader.push(chunk);

  async *request(message: McpRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<Message, void, undefined> {
    const { id, method } = message;
    const isCall = method === 'tools/call';
    const timeoutMs = isCall ? CALL_MS : method === 'initialize' ? INITIALIZE_MS : REQUEST_MS;
    const inbox = new Inbox(isCall, timeoutMs);
    this.inboxes.set(Number(id), inbox);
    try {
      await this.send(message);
      if (isCall) this.unanswered.add(Number(id));
      for (;;) {
        const received = await inbox.next(signal);
        yield received;
        if (isResponse(received)) return;
      }
    } finally {
      this.inboxes.delete(Number(id));
    }
  }

  async send(message: Message): Promise<void> {
    if (this.failure) throw this.failure;
    if (this.stdin.writableLength > MAX_UNREAD) throw new McpError('The MCP server does not read its input.');
    this.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Fails all requests, because the process has ended. */
  close(error: McpError): void {
    this.failure ??= error;
    for (const inbox of this.inboxes.values()) inbox.fail(error);
  }

  private receive(line: string): void {
    if (line.trim() === '') return;
    const message = readMessage(line);
    if (message) this.deliver(message);
    else this.note('The MCP server wrote text to stdout that is not a message. It is ignored.');
  }

  private deliver(message: Message): void {
    const { id, method, params } = message;
    if (isResponse(message)) {
      this.unanswered.delete(Number(id));
      this.inboxes.get(Number(id))?.push(message);
    } else if (method === 'notifications/progress') {
      const { progressToken } = Object(params) as Message;
      this.inboxes.get(Number(progressToken))?.push(message);
    } else if (method === 'notifications/tools/list_changed') this.events.onToolsChanged();
    else if (isServerRequest(message)) this.deliverRequest(message);
  }

  /**
   * A question does not say to which call it belongs, so it is asked only while one call is without a response. A server
   * may continue a call that was canceled, and its questions must not reach another caller.
   */
  private deliverRequest(message: Message): void {
    const [id, ...others] = this.unanswered;
    const only = id === undefined || others.length > 0 ? undefined : this.inboxes.get(id);
    if (message.method === 'elicitation/create' && only) {
      only.push(message);
      return;
    }
    if (message.method === 'elicitation/create' && others.length > 0)
      this.note(
        'The MCP server asked a question during several calls. It was canceled; serve with --capacity 1. A canceled call counts until the server responds to it or starts again.',
      );
    // A process that has ended needs no answer; its calls fail with the reason.
    declineRequest(this, message).catch(() => undefined);
  }

  private failTooLong(id: number | null): void {
    const error = new McpError('The MCP server sent a message of more than 8 MiB.');
    if (id !== null) this.unanswered.delete(id);
    const inbox = id === null ? undefined : this.inboxes.get(id);
    if (inbox) inbox.fail(error);
    else for (const other of this.inboxes.values()) other.fail(error);
  }

  private note(text: string): void {
    if (this.hasNoted) return;
    this.hasNoted = true;
    this.events.onNote(text);
  }
}
