import { randomUUID } from 'node:crypto';

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
