import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ParleyError } from './errors';

export interface SseEvent {
  id?: string;
  event?: string;
  data: string;
}

/** How often a silent stream gets a comment, so that proxies and people see it is alive (SSE-4). */
const HEARTBEAT_MS = 15_000;

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
};

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
 * Answers with a stream of events. Batches are pulled one by one, so a slow reader holds back its own stream alone;
 * when the reader leaves, `leave` runs and the source is returned. A failure after the first event closes the connection.
 */
export function sseResponse(batches: AsyncIterable<SseEvent[]>, leave: () => void): Response {
  const encoder = new TextEncoder();
  const source = batches[Symbol.asyncIterator]();
  let beat: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const heartbeat = encoder.encode(': heartbeat\n\n');
        beat = setInterval(() => controller.enqueue(heartbeat), HEARTBEAT_MS);
        beat.unref();
      },
      async pull(controller) {
        try {
          const next = await source.next();
          if (next.done) {
            clearInterval(beat);
            controller.close();
          } else {
            controller.enqueue(encoder.encode(next.value.map(encodeSse).join('')));
          }
        } catch (error) {
          clearInterval(beat);
          controller.error(error);
        }
      },
      async cancel() {
        clearInterval(beat);
        leave();
        await source.return?.();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers });
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
