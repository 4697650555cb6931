import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ParleyError } from '../errors';

export interface SseEvent {
  id?: string;
  event?: string;
  data: string;
  /** True if the stream ended without a blank line after the event, so that its data may be truncated. */
  unterminated?: true;
}

/** Encodes one event (WHATWG HTML §9.2). `data` may contain line breaks; `id` and `event` must be trusted. */
export function encodeSse({ id, event, data }: SseEvent): string {
  const lines = data.includes('\n') || data.includes('\r') ? data.split(/\r\n|\r|\n/) : [data];
  let text = '';
  if (id !== undefined) text += `id: ${id}\n`;
  if (event !== undefined) text += `event: ${event}\n`;
  for (const line of lines) text += `data: ${line}\n`;
  return `${text}\n`;
}

/**
 * Reads server-sent events (WHATWG HTML §9.2) with any line ending. Requires valid UTF-8 and drops comments. Unlike a
 * browser, it also returns a last event without a blank line, which some agents send.
 * @throws {ParleyError} `agent_misbehaved` if an event is larger than `maxEventBytes`
 */
export async function* readSse(body: AsyncIterable<Uint8Array>, maxEventBytes: number): AsyncGenerator<SseEvent[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let ready: SseEvent[] = [];
  let pending = 0;
  let isFinished = false;
  let endedWithCr = false;
  const parser = createParser({
    onEvent({ id, event, data }: EventSourceMessage) {
      pending = 0;
      ready.push(isFinished ? { id, event, data, unterminated: true } : { id, event, data });
    },
    onComment() {
      pending = 0;
    },
  });
  for await (const bytes of body) {
    pending += bytes.byteLength;
    const text = decode(decoder, bytes);
    parser.feed(endedWithCr || text.includes('\r') ? normalizeLineEndings(text, endedWithCr) : text);
    // An empty text is a part of a character, so the last line ending still applies.
    if (text !== '') endedWithCr = text.endsWith('\r');
    if (pending > maxEventBytes) {
      throw new ParleyError('agent_misbehaved', `The agent sent an event of more than ${maxEventBytes} bytes.`);
    }
    if (ready.length > 0) {
      const batch = ready;
      ready = [];
      yield batch;
    }
  }
  isFinished = true;
  parser.feed('\n\n');
  if (ready.length > 0) yield ready;
}

/** Normalizes a CR, after which the parser would wait for LF and delay the event. */
function normalizeLineEndings(text: string, afterCr: boolean): string {
  return (afterCr && text.startsWith('\n') ? text.slice(1) : text).replace(/\r\n?/g, '\n');
}

function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new ParleyError('agent_misbehaved', 'The agent sent bytes that are not UTF-8.', { cause });
  }
}
