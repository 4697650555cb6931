import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ParleyError } from './errors';

export interface SseEvent {
  id?: string;
  event?: string;
  data: string;
}

/** One event as text (WHATWG HTML §9.2). `data` may hold any line breaks; `id` and `event` must be ours. */
export function encodeSse({ id, event, data }: SseEvent): string {
  const lines = data.includes('\n') || data.includes('\r') ? data.split(/\r\n|\r|\n/) : [data];
  let text = '';
  if (id !== undefined) text += `id: ${id}\n`;
  if (event !== undefined) text += `event: ${event}\n`;
  for (const line of lines) text += `data: ${line}\n`;
  return `${text}\n`;
}

/**
 * Reads server-sent events from bytes. Strict UTF-8; comments are dropped.
 * @throws {ParleyError} `agent_misbehaved` when one event is larger than `maxEventBytes`
 */
export async function* readSse(body: AsyncIterable<Uint8Array>, maxEventBytes: number): AsyncGenerator<SseEvent[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let ready: SseEvent[] = [];
  let pending = 0;
  const parser = createParser({
    onEvent({ id, event, data }: EventSourceMessage) {
      pending = 0;
      ready.push({ id, event, data });
    },
    onComment() {
      pending = 0;
    },
  });
  for await (const bytes of body) {
    pending += bytes.byteLength;
    parser.feed(decode(decoder, bytes));
    if (pending > maxEventBytes) {
      throw new ParleyError('agent_misbehaved', `The agent sent an event of more than ${maxEventBytes} bytes.`);
    }
    if (ready.length > 0) {
      const batch = ready;
      ready = [];
      yield batch;
    }
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw new ParleyError('agent_misbehaved', 'The agent sent bytes that are not UTF-8.', { cause });
  }
}
