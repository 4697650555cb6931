import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets an answer that waits behind another one of its connection (RFC 9112 §9.3.2) know when the connection closes, as Node
 * does for the one whose turn it is: by `close`. Else what it holds, such as a place for a stream, is never given back.
 */
export function closePipelinedResponses(request: IncomingMessage, response: ServerResponse): void {
  if (response.socket) return;
  const { socket } = request;
  // As many as wait; Node reads no more of them while their answers do not get away.
  socket.setMaxListeners(0);
  socket.once('close', () => {
    if (response.socket || response.destroyed) return;
    response.destroy();
    response.emit('close');
  });
}
