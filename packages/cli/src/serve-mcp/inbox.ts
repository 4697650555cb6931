import { McpError } from '@parley/agent/mcp';

type Message = Record<string, unknown>;

/** Notifications that wait for their reader; more are dropped. */
const MAX_NOTIFICATIONS = 1_000;

/** The messages of a server for one request, in order. */
export class Inbox {
  private readonly messages: Message[] = [];
  private failure: McpError | null = null;
  private wake: () => void = () => undefined;

  /** `isCall`: the request calls a tool, so that the server may ask its user. */
  constructor(
    readonly isCall: boolean,
    private readonly timeoutMs: number,
  ) {}

  /** Adds a message. A notification is dropped if the reader is too slow. */
  push(message: Message): void {
    if ('method' in message && this.messages.length >= MAX_NOTIFICATIONS) return;
    this.messages.push(message);
    this.wake();
  }

  /** Fails the request once its messages have been read. */
  fail(error: McpError): void {
    this.failure ??= error;
    this.wake();
  }

  /**
   * Returns the next message.
   * @throws {McpError} if the connection is lost, or after a silence; the reason of the signal
   */
  async next(signal: AbortSignal): Promise<Message> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    for (;;) {
      signal.throwIfAborted();
      const message = this.messages.shift();
      if (message) return message;
      if (this.failure) throw this.failure;
      if (deadline.aborted) throw new McpError(`The MCP server sent nothing for ${this.timeoutMs / 1_000} s.`);
      await this.whenWoken(AbortSignal.any([signal, deadline]));
    }
  }

  private async whenWoken(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }
}
