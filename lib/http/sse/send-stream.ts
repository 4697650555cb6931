import type { ServerResponse } from 'node:http';
import { errorFields, log } from '../../platform/runtime/log';
import { SSE_HEARTBEAT_MS, SSE_RECONNECT_MS } from '../limits';
import type { EventStream } from './event-stream';

const reconnectField = `retry: ${SSE_RECONNECT_MS}\n\n`;

interface OpenStreams {
  ends: Set<() => void>;
  /** True during shutdown, when streams that are opened send their first events and end. */
  isClosing: boolean;
}

const openStreams: OpenStreams = { ends: new Set(), isClosing: false };

/** Returns the number of open streams. */
export function countStreams(): number {
  return openStreams.ends.size;
}

/** Ends every open stream. Clients reconnect with `Last-Event-ID`, to the next process or another node. */
export function closeStreams(): void {
  openStreams.isClosing = true;
  for (const end of openStreams.ends) end();
}

/**
 * Writes a stream to the connection until either ends, with backpressure. A failure closes the connection, so that the
 * client reconnects with `Last-Event-ID`.
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
  const client = trackClient(response, () => {
    stopHeartbeat();
    stream.markEnded();
    stream.cancel().catch((error) => log.error('stream.cancel_failed', errorFields(error)));
  });
  // A client that does not read needs no heartbeat, with which it would never count as stalled.
  const stopHeartbeat = startHeartbeat((comment) => {
    if (client.isOpen() && !response.writableNeedDrain) response.write(comment);
  });
  // After the first events, so that both fit into one packet. Idle streams send only their headers.
  setImmediate(() => response.flushHeaders());
  try {
    for (let text = await stream.next(); text !== null && client.isOpen(); text = await stream.next()) {
      if (!response.write(text)) await client.drained();
      if (openStreams.isClosing) client.end();
    }
    response.end();
  } catch (error) {
    if (client.isOpen()) log.warn('stream.failed', errorFields(error));
    response.destroy();
  }
}

interface Client {
  isOpen(): boolean;
  /** Ends the stream and makes the client reconnect. */
  end(): void;
  /** Resolves when the connection accepts more data or is closed. */
  drained(): Promise<void>;
}

function trackClient(response: ServerResponse, onClose: () => void): Client {
  let isOpen = true;
  let onDrain: () => void = () => undefined;
  const end = (): void => {
    if (!isOpen) return;
    isOpen = false;
    onDrain();
    response.end(reconnectField);
  };
  openStreams.ends.add(end);
  response.on('drain', () => onDrain());
  response.on('close', () => {
    isOpen = false;
    openStreams.ends.delete(end);
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

const COMMENT = ': heartbeat\n\n';

/**
 * Sends an SSE comment every {@link SSE_HEARTBEAT_MS}, because proxies close idle streams. Returns a function that
 * stops it.
 */
function startHeartbeat(send: (comment: string) => void): () => void {
  const timer = setInterval(() => send(COMMENT), SSE_HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}
