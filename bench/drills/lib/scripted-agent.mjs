import { createServer } from 'node:http';
import { cardOf, taskNotFound } from '../../lib/card.mjs';

/**
 * An A2A 0.3 agent whose responses to `message/send` and `message/stream` the drill writes itself.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {boolean} [options.streaming]
 * @param {(call: { rpc: unknown, response: import('node:http').ServerResponse }) => unknown} options.handle
 * @returns {Promise<{ url: string, received: string[], set: (handle: (call: unknown) => unknown) => void, stop: () => void }>}
 *   `received`: the ids of messages, one for each time that they arrived
 */
export async function startScriptedAgent({ name, streaming = true, handle }) {
  let current = handle;
  const received = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    if (request.method === 'GET') return sendJson(response, cardOf({ name, port: server.address().port, streaming }));
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const rpc = JSON.parse(Buffer.concat(chunks).toString());
      if (!rpc.params?.message) return current({ rpc, response }) ?? sendJson(response, taskNotFound(rpc.id));
      received.push(rpc.params.message.messageId);
      return current({ rpc, response });
    });
  });
  server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    received,
    set(next) {
      current = next;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Responds with JSON. */
export function sendJson(response, body, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A completed task with one artifact. */
export function completedTask(rpc, text = 'done') {
  const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text }] }];
  const task = {
    kind: 'task',
    id: `t-${rpc.params.message.messageId}`,
    contextId: 'c',
    status: { state: 'completed' },
  };
  return { jsonrpc: '2.0', id: rpc.id, result: { ...task, artifacts } };
}

/** Responds to any method with the completed task. */
export function respondAtOnce({ rpc, response }) {
  if (rpc.params?.message) sendJson(response, completedTask(rpc));
  else sendJson(response, taskNotFound(rpc.id));
  return true;
}

/** Starts a stream; returns a function that sends an event as its result. */
export function openStream({ rpc, response }) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (result) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result })}\n\n`);
}
