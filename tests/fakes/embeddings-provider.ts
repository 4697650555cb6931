import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One received request. */
export interface EmbeddingsRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: { model: string; input: string[]; encoding_format?: string; dimensions?: number };
  at: number;
}

/** Sends an answer itself, or returns true to leave the request to the well-behaved provider. */
type Misbehavior = (request: EmbeddingsRequest, response: ServerResponse) => unknown;

/** An OpenAI-compatible provider of embeddings: a real HTTP server with scripted misbehavior. */
export class EmbeddingsProvider {
  readonly requests: EmbeddingsRequest[] = [];
  /** Replaces the next answers, one each. */
  readonly next: Misbehavior[] = [];
  /** Sees every request that `next` leaves. */
  always: Misbehavior | undefined;
  dimensions = 8;
  /** Vectors are sent with this length. */
  scale = 3;
  /** Words that mean another. */
  meanings: Record<string, string> = {};
  private readonly server = createServer();

  static async start(): Promise<EmbeddingsProvider> {
    const provider = new EmbeddingsProvider();
    provider.server.on('request', async (incoming, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const request = { path: incoming.url ?? '', headers: incoming.headers, body, at: Date.now() };
      provider.requests.push(request);
      const misbehavior = provider.next.shift() ?? provider.always;
      if (misbehavior && misbehavior(request, response) !== true) return;
      provider.answer(request, response);
    });
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** The texts of the requests, in order. */
  get inputs(): string[][] {
    return this.requests.map(({ body }) => body.input);
  }

  /** What the fake answers for a text, before normalization: a sum over its words. */
  vectorOf(text: string, dimensions = this.dimensions): number[] {
    const words = text.toLowerCase().match(/[\p{L}\d:]+/gu) ?? [text];
    const directions = words.map((word) => directionOf(this.meanings[word] ?? word, dimensions));
    return directions.reduce((sum, direction) => sum.map((value, at) => value + this.scale * (direction[at] ?? 0)));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private answer({ body }: EmbeddingsRequest, response: ServerResponse): void {
    const data = body.input.map((text, index) => ({
      object: 'embedding',
      index,
      embedding: this.vectorOf(text, body.dimensions),
    }));
    sendJson(response, 200, { object: 'list', data, model: body.model, usage: { total_tokens: 1 } });
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function directionOf(word: string, dimensions: number): number[] {
  let seed = 7;
  for (const character of word) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return Array.from({ length: dimensions }, (_, at) => Math.sin(seed * (at + 1)));
}
