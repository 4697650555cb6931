import { randomUUID } from 'node:crypto';

/**
 * Calls an agent over JSON-RPC (A2A 0.3).
 *
 * @param {{ origin: string, slug: string, token: string }} target
 * @param {string} method
 * @param {object} params
 * @returns {Promise<{ status: number, body: unknown }>} status 0: no response
 */
export async function call({ origin, slug, token }, method, params) {
  try {
    const response = await fetch(`${origin}/agents/${slug}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    return { status: 0, body: { error: { message: String(error.cause ?? error) } } };
  }
}

/** Creates a message with a new id: a UUID, which serves as the idempotency key of the send. */
export function message(text, messageId = randomUUID()) {
  return { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text }] };
}

/**
 * Introspects a token.
 *
 * @param {string} origin
 * @param {{ clientId: string, clientSecret: string }} app
 * @param {string} token
 * @returns {Promise<{ status: number, active: boolean | undefined }>} status 0: no response
 */
export async function introspect(origin, { clientId, clientSecret }, token) {
  try {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const response = await fetch(`${origin}/api/auth/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ token }),
    });
    const body = await response.json();
    return { status: response.status, active: body.active };
  } catch {
    return { status: 0, active: undefined };
  }
}

/**
 * Repeats `work` until stopped; its errors are ignored.
 *
 * @param {number} everyMs delay between two rounds
 * @param {() => Promise<unknown>} work
 * @returns {() => Promise<void>}
 */
export function repeat(everyMs, work) {
  let stopped = false;
  const running = (async () => {
    while (!stopped) {
      await work().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return () => {
    stopped = true;
    return running;
  };
}
