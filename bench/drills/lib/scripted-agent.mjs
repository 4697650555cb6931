import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { cardOf, taskNotFound } from '../../lib/card.mjs';

/**
 * Starts an A2A 0.3 agent whose responses to `message/send` and `message/stream` are written by the drill.
 *
 * @param {object} options
 * @param {string} options.name
 * @param {boolean} [options.streaming]
 * @param {(call: { rpc: unknown, response: import('node:http').ServerResponse }) => unknown} options.handle
 * @param {{ key: string, cert: string }} [options.tls] for `localhost`; default: no TLS
 * @returns {Promise<{ url: string, received: string[], set: (handle: (call: unknown) => unknown) => void,
 *   intercept: (connect?: (socket: import('node:net').Socket) => unknown) => void, stop: () => void }>}
 *   `received`: the id of each received message, including repetitions; `intercept` closes the agent's connections, and
 *   new ones
 *   are handled by `connect`, if given, instead of by the agent
 */
export async function startScriptedAgent({ name, streaming = true, handle, tls }) {
  let current = handle;
  let connect;
  const received = [];
  const serve = (request, response) => {
    response.on('error', () => undefined);
    if (request.method === 'GET')
      return sendJson(response, { ...cardOf({ name, port: server.address().port, streaming }), url: `${url}/a2a` });
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const rpc = JSON.parse(Buffer.concat(chunks).toString());
      if (!rpc.params?.message) return current({ rpc, response }) ?? sendJson(response, taskNotFound(rpc.id));
      received.push(rpc.params.message.messageId);
      return current({ rpc, response });
    });
  };
  const web = tls ? createHttpsServer(tls, serve) : createHttpServer(serve);
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    if (connect) connect(socket);
    else web.emit('connection', socket);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `${tls ? 'https://localhost' : 'http://127.0.0.1'}:${server.address().port}`;
  const disconnect = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url,
    received,
    set(next) {
      current = next;
    },
    intercept(next) {
      connect = next;
      disconnect();
    },
    stop() {
      disconnect();
      server.close();
    },
  };
}

/** Responds with JSON. */
export function sendJson(response, body, status = 200) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Creates a completed task with one artifact. */
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
