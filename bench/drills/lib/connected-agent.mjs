import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { serveTokenFor } from '../../lib/hub-workers.mjs';
import { eventsIn } from './sse-frames.mjs';

async function post(url, body, headers) {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${url} responded ${response.status}: ${await response.text()}`);
  return response.json();
}

/**
 * Lists an agent without a URL.
 *
 * @param {{ origin: string, accessToken: string, app: { clientId: string, clientSecret: string, id: string } }} parley
 * @param {string} slug
 * @returns {Promise<string>} a token to serve it
 */
export async function listConnectedAgent({ origin, accessToken, app }, slug) {
  const json = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
  await post(`${origin}/api/agents`, JSON.stringify({ hub: true, slug, appId: app.id }), json);
  return serveTokenFor({ origin, app }, slug);
}

/**
 * Connects a worker, each time to the origin that `pick` returns, as through a load balancer.
 *
 * @param {{ origin: string }} parley
 * @param {{ agent: string, token: string, capacity: number, handle: import('@parley/agent/serve').Handler, pick: () =>
 *   string,
 *   host?: string, onOpen?: () => void, onClose?: () => void }} plan `host`: the host of the node, if it is behind a
 *   proxy
 */
export async function connectWorker({ origin }, { pick, host, onOpen, onClose, ...plan }) {
  // Built by startParley.
  const { connect } = await import('@parley/agent/serve');
  const Socket = class extends WebSocket {
    constructor(_url, protocols) {
      super(`${pick().replace('http', 'ws')}/ws/agents`, protocols, host ? { headers: { host } } : {});
      if (onOpen) this.once('open', onOpen);
      if (onClose) this.once('close', onClose);
    }
  };
  return connect({ ...plan, url: origin, WebSocket: Socket, onError: () => undefined });
}

/**
 * Sends one message and reads its answer to the end: its text, its last state with its reason, and the longest time
 * between two pieces, milliseconds.
 *
 * @param {string} origin
 * @param {{ slug: string, token: string }} target
 * @returns {Promise<{ text: string, state: string, reason: string | null, gapMs: number }>}
 */
export async function readAnswer(origin, { slug, token }) {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'count' }] };
  const response = await fetch(`${origin}/agents/${slug}/a2a/jsonrpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message } }),
  });
  if (response.status !== 200) throw new Error(`${origin} responded ${response.status}`);
  const answer = { text: '', state: '', reason: null, gapMs: 0 };
  let last = 0;
  for await (const { data } of eventsIn(response.body)) {
    const { artifactUpdate, statusUpdate } = JSON.parse(data).result ?? {};
    if (statusUpdate) {
      answer.state = statusUpdate.status.state;
      answer.reason = statusUpdate.status.message?.parts.map(({ text }) => text).join('') ?? null;
    }
    if (!artifactUpdate) continue;
    answer.text += artifactUpdate.artifact.parts.map(({ text }) => text).join('');
    const now = performance.now();
    if (last > 0) answer.gapMs = Math.max(answer.gapMs, now - last);
    last = now;
  }
  return answer;
}
