import { TRACE_MAX_BYTES, TRACE_MAX_CHARS, TRACE_MAX_EVENTS } from '../limits';
import type { HttpExchange, HttpExchangeEvent } from '../schema';
import { callRedactor, truncate } from './redact-secrets';

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
 * Records one exchange with an agent: the request, and the bytes of the response with their arrival times. Chunks are
 * held by reference up to a maximum; they are decoded and redacted when the recorder is closed.
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
    if (this.bufferedBytes >= TRACE_MAX_BYTES) return;
    this.bufferedBytes += chunk.byteLength;
    this.chunks.push({ ms: this.elapsedMs(), chunk });
  }

  /** Ends the recording and returns the exchange. */
  close(failure: HttpExchange['failure']): HttpExchange {
    const { method, url, headers, body = '', name, dialect, redact } = this.request;
    const redacted = callRedactor(redact);
    return {
      at: this.at.toISOString(),
      ms: this.elapsedMs(),
      method: name,
      dialect,
      requestId: this.requestId,
      request: {
        method,
        url: redacted.url(url),
        headers: redacted.headers(headers),
        body: truncateText(redacted.text(body)),
        bytes: Buffer.byteLength(body),
      },
      answer: this.response && {
        status: this.response.status,
        headers: redacted.headers(this.response.headers),
        bytes: this.bytes,
        ...this.eventsOf(this.response.headers, redacted.text),
      },
      failure: failure && { ...failure, message: redacted.text(failure.message) },
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
    // Messages of gRPC are recorded as JSON, separated like events.
    const isStream = /^(?:text\/event-stream|application\/grpc)/i.test(headers['content-type'] ?? '');
    const ranges = isStream ? rangesOf(received) : [{ from: 0, to: received.length }];
    const events = ranges.slice(0, TRACE_MAX_EVENTS).map(({ from, to }) => ({
      ms: this.arrivalOf(to),
      bytes: to - from,
      text: truncateText(redactAll(received.subarray(from, to).toString('utf8').trim())),
    }));
    return {
      events: events.filter(({ text }) => text !== ''),
      moreEvents: Math.max(0, ranges.length - TRACE_MAX_EVENTS),
    };
  }

  /** Returns the time at which the byte before `end` arrived. */
  private arrivalOf(end: number): number {
    let seen = 0;
    for (const { ms, chunk } of this.chunks) {
      seen += chunk.byteLength;
      if (seen >= end) return ms;
    }
    return this.chunks.at(-1)?.ms ?? this.elapsedMs();
  }
}

/** Returns the ranges of a stream's events, each including the blank line that ends it. */
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

function truncateText(text: string): string {
  return text.length <= TRACE_MAX_CHARS ? text : truncate(text, TRACE_MAX_CHARS);
}
