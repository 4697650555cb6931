import type { ServerResponse } from 'node:http';
import { errorFields, log } from '../platform/log';
import { shared } from '../platform/registry';
import { type EventStream, HEARTBEAT, HEARTBEAT_MS } from './event-stream';

/** Tells a reader how soon to come back, milliseconds (WHATWG HTML §9.2.6). */
const goodbye = 'retry: 500\n\n';

interface OpenStreams {
  ends: Set<() => void>;
  /** True once all were ended: one that opens after that says its first events and ends. */
  areOver: boolean;
}

function openStreams(): OpenStreams {
  return shared('open-streams', () => ({ ends: new Set(), areOver: false }));
}

/** How many streams are being written. */
export function countStreams(): number {
  return openStreams().ends.size;
}

/** Ends every open stream; readers come back with `Last-Event-ID`, to the next process or another node. */
export function endStreams(): void {
  const open = openStreams();
  open.areOver = true;
  for (const end of open.ends) end();
}

/**
 * Writes a stream to the connection until either ends. The source is asked for more only when the connection has taken
 * what it was given. A failure closes the connection, so that the reader comes back with `Last-Event-ID`.
 */
export async function sendStream(stream: EventStream, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    stream.over();
    return stream.leave();
  }
  response.writeHead(200, stream.headers);
  if (response.req.method === 'HEAD') {
    response.end();
    stream.over();
    return stream.leave();
  }
  const reader = watch(response, () => {
    clearInterval(beat);
    stream.over();
    stream.leave().catch((error) => log.error('stream.leave_failed', errorFields(error)));
  });
  const beat = setInterval(() => reader.isThere() && response.write(HEARTBEAT), HEARTBEAT_MS);
  beat.unref();
  // A stream that begins with silence is open all the same; one that has something to say sends both at once.
  setImmediate(() => response.flushHeaders());
  try {
    for (let text = await stream.next(); text !== null && reader.isThere(); text = await stream.next()) {
      if (!response.write(text)) await reader.drained();
      if (openStreams().areOver) reader.end();
    }
    response.end();
  } catch (error) {
    if (reader.isThere()) log.warn('stream.failed', errorFields(error));
    response.destroy();
  }
}

interface Reader {
  isThere(): boolean;
  /** Ends the stream with the word to come back. */
  end(): void;
  /** Resolves when the connection takes more, or is closed. */
  drained(): Promise<void>;
}

function watch(response: ServerResponse, left: () => void): Reader {
  let there = true;
  let drained: () => void = () => undefined;
  const end = (): void => {
    if (!there) return;
    there = false;
    drained();
    response.end(goodbye);
  };
  openStreams().ends.add(end);
  response.on('drain', () => drained());
  response.on('close', () => {
    there = false;
    openStreams().ends.delete(end);
    drained();
    left();
  });
  return {
    isThere: () => there,
    end,
    drained: () =>
      new Promise((resolve) => {
        drained = resolve;
        if (!there) resolve();
      }),
  };
}
