import type { WireEvent, WireExchange } from '../schema';
import { maskHeaders, maskText, maskUrl } from './mask-secrets';

/** Characters of one body or event that are kept, events of one answer, and bytes of one answer that are looked at. */
const keptChars = 8_192;
const keptEvents = 200;
const keptBytes = 262_144;

interface RecordedRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  name: string;
  dialect: string;
  mask: (text: string) => string;
}

interface Piece {
  ms: number;
  chunk: Uint8Array;
}

/**
 * Notes one exchange with an agent as it goes: what was sent, and when which bytes came back. Chunks are kept by reference,
 * up to a cap; nothing is decoded or masked before the exchange is over.
 */
export class WireRecord {
  private readonly at = new Date();
  private readonly startedAt = performance.now();
  private answer: { status: number; headers: Record<string, string> } | null = null;
  private readonly pieces: Piece[] = [];
  private kept = 0;
  private bytes = 0;

  constructor(
    private readonly request: RecordedRequest,
    private readonly requestId: string,
  ) {}

  answered(status: number, headers: Record<string, string>): void {
    this.answer = { status, headers };
  }

  took(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    if (this.kept >= keptBytes) return;
    this.kept += chunk.byteLength;
    this.pieces.push({ ms: this.passed(), chunk });
  }

  /** The exchange as it is kept. */
  close(failure: WireExchange['failure']): WireExchange {
    const { method, url, headers, body = '', name, dialect, mask } = this.request;
    const hide = (text: string): string => maskText(mask(text));
    const hidden = (fields: Record<string, string>): Record<string, string> =>
      Object.fromEntries(Object.entries(maskHeaders(fields)).map(([field, value]) => [field, mask(value)]));
    return {
      at: this.at.toISOString(),
      ms: this.passed(),
      method: name,
      dialect,
      requestId: this.requestId,
      request: {
        method,
        url: mask(maskUrl(url)),
        headers: hidden(headers),
        body: shorten(hide(body)),
        bytes: Buffer.byteLength(body),
      },
      answer: this.answer && {
        status: this.answer.status,
        headers: hidden(this.answer.headers),
        bytes: this.bytes,
        ...this.eventsOf(this.answer.headers, hide),
      },
      failure: failure && { ...failure, message: hide(failure.message) },
    };
  }

  private passed(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private eventsOf(
    headers: Record<string, string>,
    hide: (text: string) => string,
  ): { events: WireEvent[]; moreEvents: number } {
    const whole = Buffer.concat(this.pieces.map(({ chunk }) => chunk));
    const isStream = (headers['content-type'] ?? '').toLowerCase().startsWith('text/event-stream');
    const ranges = isStream ? rangesOf(whole) : [{ from: 0, to: whole.length }];
    const events = ranges.slice(0, keptEvents).map(({ from, to }) => ({
      ms: this.arrivalOf(to),
      bytes: to - from,
      text: shorten(hide(whole.subarray(from, to).toString('utf8').trim())),
    }));
    return { events: events.filter(({ text }) => text !== ''), moreEvents: Math.max(0, ranges.length - keptEvents) };
  }

  /** When the byte before `end` came. */
  private arrivalOf(end: number): number {
    let seen = 0;
    for (const { ms, chunk } of this.pieces) {
      seen += chunk.byteLength;
      if (seen >= end) return ms;
    }
    return this.pieces.at(-1)?.ms ?? this.passed();
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
function shorten(text: string): string {
  return text.length <= keptChars ? text : `${text.slice(0, keptChars).replace(/[^\s",]*$/, '')} …`;
}
