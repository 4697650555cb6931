import type { ServerResponse } from 'node:http';
import { errorFields, log } from '../../platform/log';
import { processSingleton } from '../../platform/singleton';
import { type EventStream, HEARTBEAT, HEARTBEAT_MS } from './event-stream';

/** Tells a reader how soon to come back, milliseconds (WHATWG HTML §9.2.6). */
const reconnectHint = 'retry: 500\n\n';

interface OpenStreams {
  ends: Set<() => void>;
  /** True once all were ended: one that opens after that says its first events and ends. */
  areClosed: boolean;
}

function openStreams(): OpenStreams {
  return processSingleton('open-streams', () => ({ ends: new Set(), areClosed: false }));
}

/** How many streams are being written. */
export function countStreams(): number {
  return openStreams().ends.size;
}

/** Ends every open stream; readers come back with `Last-Event-ID`, to the next process or another node. */
export function closeStreams(): void {
  const open = openStreams();
  open.areClosed = true;
  for (const end of open.ends) end();
}

/**
 * Writes a stream to the connection until either ends. The source is asked for more only when the connection has taken
 * what it was given. A failure closes the connection, so that the reader comes back with `Last-Event-ID`.
 */
export async function sendStream(stream: EventStream, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    stream.markEnded();
    return stream.cancel();
  }
  response.writeHead(200, stream.headers);
  if (response.req.method === 'HEAD') {
    response.end();
    stream.markEnded();
    return stream.cancel();
  }
  const reader = trackReader(response, () => {
    clearInterval(heartbeatTimer);
    stream.markEnded();
    stream.cancel().catch((error) => log.error('stream.leave_failed', errorFields(error)));
  });
  const heartbeatTimer = setInterval(() => reader.isOpen() && response.write(HEARTBEAT), HEARTBEAT_MS);
  heartbeatTimer.unref();
  // A stream that begins with silence is open all the same; one that has something to say sends both at once.
  setImmediate(() => response.flushHeaders());
  try {
    for (let text = await stream.next(); text !== null && reader.isOpen(); text = await stream.next()) {
      if (!response.write(text)) await reader.drained();
      if (openStreams().areClosed) reader.end();
    }
    response.end();
  } catch (error) {
    if (reader.isOpen()) log.warn('stream.failed', errorFields(error));
    response.destroy();
  }
}

interface Reader {
  isOpen(): boolean;
  /** Ends the stream with the word to come back. */
  end(): void;
  /** Resolves when the connection takes more, or is closed. */
  drained(): Promise<void>;
}

function trackReader(response: ServerResponse, onClose: () => void): Reader {
  let isOpen = true;
  let onDrain: () => void = () => undefined;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    onDrain();
    response.end(reconnectHint);
  };
  openStreams().ends.add(end);
  response.on('drain', () => onDrain());
  response.on('close', () => {
    isOpen = false;
    openStreams().ends.delete(end);
    onDrain();
    onClose();
  });
  return {
    isOpen: () => isOpen,
    end,
    drained: () =>
      new Promise((resolve) => {
        onDrain = resolve;
        if (!isOpen) resolve();
      }),
  };
}
