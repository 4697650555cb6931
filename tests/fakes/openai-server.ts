import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a request asked for. */
export interface Completed {
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: unknown }[];
    stream?: boolean;
    stream_options?: { include_usage?: boolean };
    temperature?: number;
  };
}

/** How one request is answered. */
export interface CompletionCall {
  request: Completed;
  response: ServerResponse;
  /** One chunk with this delta. */
  chunk(delta: object, finishReason?: string | null): void;
  /** Any event. */
  event(data: string): void;
  /** The end as OpenAI sends it: the reason, the usage if it was asked for, and `[DONE]`. */
  finish(reason?: string): void;
  /** OpenAI's error envelope. */
  refuse(status: number, message: string): void;
  /** Resolves when the caller has disconnected. */
  gone: Promise<void>;
}

type Script = (call: CompletionCall) => void | Promise<void>;

export const fakeUsage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/**
 * An OpenAI-compatible server on the wire of `POST /v1/chat/completions`: named chunks that share an id, a role first,
 * comments in between, a usage chunk without choices. A test scripts what it answers.
 */
export class OpenAiServer {
  readonly requests: Completed[] = [];
  private script: Script = ({ chunk, finish }) => {
    chunk({ content: 'Hello' });
    finish();
  };

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OpenAiServer> {
    const server = createServer();
    const fake = new OpenAiServer(server);
    server.on('request', (request, response) => void fake.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return fake;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  answer(script: Script): void {
    this.script = script;
  }

  /** The texts of these deltas, one chunk each. */
  says(...pieces: string[]): void {
    this.answer(({ chunk, finish }) => {
      for (const content of pieces) chunk({ content });
      finish();
    });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of incoming) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString('utf8')) as Completed['body'];
    const request = { authorization: incoming.headers.authorization, body };
    this.requests.push(request);
    if (incoming.url !== '/v1/chat/completions') response.writeHead(404).end('{"detail":"Not Found"}');
    else await this.script(callOf(request, response));
  }
}

function callOf(request: Completed, response: ServerResponse): CompletionCall {
  const { model, stream_options: options } = request.body;
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model };
  const withUsage = options?.include_usage === true;
  const event = (data: string): void => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(`data: ${data}\n\n`);
  };
  const chunk = (delta: object, finishReason: string | null = null): void => {
    const isFirst = !response.headersSent;
    const choice = { index: 0, delta: isFirst ? { role: 'assistant', ...delta } : delta, finish_reason: finishReason };
    event(JSON.stringify({ ...head, choices: [choice], ...(withUsage && { usage: null }) }));
    response.write(': keep-alive\n\n');
  };
  return {
    request,
    response,
    event,
    chunk,
    finish(reason = 'stop') {
      chunk({}, reason);
      if (withUsage) event(JSON.stringify({ ...head, choices: [], usage: fakeUsage }));
      event('[DONE]');
      response.end();
    },
    refuse(status, message) {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }));
    },
    gone: new Promise((resolve) => response.on('close', resolve)),
  };
}
