import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

const sockets = new Agent({ keepAlive: false });

function streamRequest(text, id) {
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }] };
  return { jsonrpc: '2.0', id, method: 'message/stream', params: { message } };
}

/**
 * Opens a stream.
 *
 * @param {{ origin: string, path: string, tokens?: string[], bodyOf?: (text: string, at: number) => object }} target
 *   `bodyOf`: the request with this message; by default an A2A one
 * @param {string} text the message
 * @param {number} at index of the target's token to use
 * @returns {Promise<{ firstByte: number, done: Promise<string>, arrivals: { at: number, text: string }[], close: () => void }>}
 *   milliseconds to the first byte; the whole text, once the stream has ended; its chunks with their arrival times (milliseconds
 *   since 1970); and a function that disconnects
 */
export function open(target, text, at) {
  const body = JSON.stringify((target.bodyOf ?? streamRequest)(text, at));
  const token = target.tokens?.[at % target.tokens.length];
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  };
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(`${target.origin}${target.path}`, { method: 'POST', agent: sockets, headers }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${target.origin} responded ${response.statusCode}`));
      // Ignores the error of a stream that we close ourselves.
      response.on('error', () => undefined);
      let text = '';
      const arrivals = [];
      const done = new Promise((end) => response.on('end', () => end(text)));
      response.once('data', () =>
        resolve({ firstByte: performance.now() - startedAt, done, arrivals, close: () => sent.destroy() }),
      );
      response.on('data', (chunk) => {
        text += chunk;
        arrivals.push({ at: performance.timeOrigin + performance.now(), text: String(chunk) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
