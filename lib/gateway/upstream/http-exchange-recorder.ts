import type { HttpExchange, HttpExchangeEvent } from '../schema';
import { redactHeaders, redactSecrets, redactUrl } from './redact-secrets';

/** Characters of one body or event that are kept, events of one answer, and bytes of one answer that are looked at. */
const maxChars = 8_192;
const maxEvents = 200;
const maxBytes = 262_144;

interface RecordedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  name: string;
  dialect: string;
  redact: (text: string) => string;
}

interface TimedChunk {
  ms: number;
  chunk: Uint8Array;
}

/**
 * Notes one exchange with an agent as it goes: what was sent, and when which bytes came back. Chunks are kept by reference,
 * up to a cap; nothing is decoded or masked before the exchange is over.
 */
export class HttpExchangeRecorder {
  private readonly at = new Date();
  private readonly startedAt = performance.now();
  private response: { status: number; headers: Record<string, string> } | null = null;
  private readonly chunks: TimedChunk[] = [];
  private bufferedBytes = 0;
  private bytes = 0;

  constructor(
    private readonly request: RecordedRequest,
    private readonly requestId: string,
  ) {}

  onResponse(status: number, headers: Record<string, string>): void {
    this.response = { status, headers };
  }

  onChunk(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (this.bufferedBytes >= maxBytes) return;
    this.bufferedBytes += chunk.byteLength;
    this.chunks.push({ ms: this.elapsedMs(), chunk });
  }

  /** The exchange as it is kept. */
  close(failure: HttpExchange['failure']): HttpExchange {
    const { method, url, headers, body = '', name, dialect, redact: mask } = this.request;
    const redactAll = (text: string): string => redactSecrets(mask(text));
    const redactFields = (fields: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(redactHeaders(fields)).map(([field, value]) => [field, mask(value)]));
    return {
      at: this.at.toISOString(),
      ms: this.elapsedMs(),
      method: name,
      dialect,
      requestId: this.requestId,
      request: {
        method,
        url: mask(redactUrl(url)),
        headers: redactFields(headers),
        body: truncate(redactAll(body)),
        bytes: Buffer.byteLength(body),
      },
      answer: this.response && {
        status: this.response.status,
        headers: redactFields(this.response.headers),
        bytes: this.bytes,
        ...this.eventsOf(this.response.headers, redactAll),
      },
      failure: failure && { ...failure, message: redactAll(failure.message) },
    };
  }

  private elapsedMs(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private eventsOf(
    headers: Record<string, string>,
    redactAll: (text: string) => string,
  ): { events: HttpExchangeEvent[]; moreEvents: number } {
    const received = Buffer.concat(this.chunks.map(({ chunk }) => chunk));
    const isStream = (headers['content-type'] ?? '').toLowerCase().startsWith('text/event-stream');
    const ranges = isStream ? rangesOf(received) : [{ from: 0, to: received.length }];
    const events = ranges.slice(0, maxEvents).map(({ from, to }) => ({
      ms: this.arrivalOf(to),
      bytes: to - from,
      text: truncate(redactAll(received.subarray(from, to).toString('utf8').trim())),
    }));
    return { events: events.filter(({ text }) => text !== ''), moreEvents: Math.max(0, ranges.length - maxEvents) };
  }

  /** When the byte before `end` came. */
  private arrivalOf(end: number): number {
    let seen = 0;
    for (const { ms, chunk } of this.chunks) {
      seen += chunk.byteLength;
      if (seen >= end) return ms;
    }
    return this.chunks.at(-1)?.ms ?? this.elapsedMs();
  }
}

/** The events of a stream, each up to and with the blank line that ends it. */
function rangesOf(bytes: Buffer): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  const text = bytes.toString('latin1');
  let from = 0;
  for (const { index, 0: blank } of text.matchAll(/\r\n\r\n|\n\n|\r\r/g)) {
    ranges.push({ from, to: index + blank.length });
    from = index + blank.length;
  }
  if (from < bytes.length) ranges.push({ from, to: bytes.length });
  return ranges;
}

/** It never ends within a word, which may be half a secret. */
function truncate(text: string): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars).replace(/[^\s",]*$/, '')} …`;
}
