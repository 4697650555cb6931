import { SSE_HEARTBEAT_MS } from '../limits';

const COMMENT = ': heartbeat\n\n';

/**
 * Sends an SSE comment every {@link SSE_HEARTBEAT_MS}, because proxies close idle streams. Returns a function that
 * stops it.
 */
export function startHeartbeat(send: (comment: string) => void): () => void {
  const timer = setInterval(() => send(COMMENT), SSE_HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}
