import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { textOf } from '../../lib/load.mjs';

/**
 * Sends a streaming call over a plain socket whose reading the caller controls.
 *
 * @param {{ origin: string, path: string, token: string }} target
 * @param {{ method: string, params: object }} call
 * @param {{ onData?: (text: string) => void }} [options]
 * @returns {{ socket: import('node:net').Socket, status: Promise<number>, isClosed: () => boolean, received: () => number, closed: Promise<void>, close: () => void }}
 *   `status` is that of the response
 */
export function openReader({ origin, path, token }, call, { onData = () => undefined } = {}) {
  const { hostname, port, host } = new URL(origin);
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });
  socket.write(textOf({ method: 'POST', path, headers, body }, host));
  socket.on('error', () => undefined);
  let [received, isClosed] = [0, false];
  const closed = new Promise((resolve) => {
    socket.on('close', () => {
      isClosed = true;
      resolve();
    });
  });
  const status = new Promise((resolve) => {
    socket.once('data', (chunk) => resolve(Number(chunk.latin1Slice(9, 12))));
    void closed.then(() => resolve(0));
  });
  socket.on('data', (chunk) => {
    received += chunk.length;
    onData(chunk.latin1Slice());
  });
  return { socket, status, closed, isClosed: () => isClosed, received: () => received, close: () => socket.destroy() };
}

/** Returns the parameters of `message/stream` with this text. */
export function streamOf(text) {
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }] };
  return { method: 'message/stream', params: { message } };
}

/** Reads one chunk of 64 KB every two seconds. */
export function readSlowly({ socket }) {
  socket.on('data', () => socket.pause());
  const timer = setInterval(() => socket.resume(), 2_000);
  socket.on('close', () => clearInterval(timer));
}

/**
 * Opens streams that are read immediately, and measures the gaps between their events.
 *
 * @param {{ origin: string, path: string, tokens: string[] }} target
 * @param {number} events per stream; each stream is reopened at its end
 * @returns {{ stop: () => { gaps: number[], broken: number } }} milliseconds
 */
export function watchGaps({ origin, path, tokens }, events) {
  const gaps = [];
  let [broken, isOver] = [0, false];
  const readers = new Map();
  const follow = (token) => {
    let lastAt = 0;
    let text = '';
    const reader = openReader({ origin, path, token }, streamOf(`pace ${events}`), {
      onData: (chunk) => {
        const now = performance.now();
        text = `${text}${chunk}`.slice(-200);
        if (chunk.includes('artifact-update')) {
          if (lastAt > 0) gaps.push(now - lastAt);
          lastAt = now;
        }
        if (!text.includes('"final":true')) return;
        reader.isWhole = true;
        reader.close();
      },
    });
    readers.set(token, reader);
    void reader.closed.then(() => {
      if (isOver) return;
      if (!reader.isWhole) broken += 1;
      follow(token);
    });
  };
  tokens.forEach(follow);
  return {
    stop() {
      isOver = true;
      for (const reader of readers.values()) reader.close();
      return { gaps, broken };
    },
  };
}
