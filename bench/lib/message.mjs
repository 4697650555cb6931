import { randomUUID } from 'node:crypto';

/** What every message says; the agent says it back. */
export const text = 'x'.repeat(200);

/**
 * @param {number} index the id of the call
 * @returns {string} the body of a `message/send` in A2A 0.3; no two are the same message
 */
export function messageTo(index) {
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts: [{ kind: 'text', text }] };
  return JSON.stringify({ jsonrpc: '2.0', id: index, method: 'message/send', params: { message } });
}
