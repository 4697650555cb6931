import { randomUUID } from 'node:crypto';
import { load } from './load.mjs';

/** The text of every message, which the agent echoes. */
export const text = 'x'.repeat(200);

/**
 * @param {number} index the JSON-RPC id
 * @returns {string} the body of a `message/send` in A2A 0.3, with a new message id
 */
export function messageTo(index) {
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }] };
  return JSON.stringify({ jsonrpc: '2.0', id: index, method: 'message/send', params: { message } });
}

/**
 * Returns a function that sends messages over several connections and waits for each response.
 *
 * @param {{ pid: number, origin: string }} target
 * @param {{ path?: string, tokens?: string[], count: number, connections: number }} plan `tokens`: bearer tokens to use
 *   in
 *   turn; default: none
 * @returns {() => Promise<{ cpu: number, rate: number }>} see `load`
 */
export function sendingMessages({ pid, origin }, { path = '/', tokens, count, connections }) {
  const headersOf = (index) => (tokens ? { authorization: `Bearer ${tokens[index % tokens.length]}` } : {});
  const request = (index) => ({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headersOf(index) },
    body: messageTo(index),
  });
  return () => load({ target: { pid, origin }, count, connections, request, isRight: (body) => body.includes(text) });
}
