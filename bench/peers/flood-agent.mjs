// A streaming A2A 0.3 agent. "pace N" sends N small pieces, one every 20 ms; "flood N" sends N pieces of 64 KB at the same
// rate, once a message "start" has arrived.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { cardOf, taskNotFound } from '../lib/card.mjs';

const everyMs = 20;
const large = 'x'.repeat(65_536);
/** Functions that start the waiting streams. */
const waiting = new Set();

function respond(body, response) {
  const { id, method, params } = JSON.parse(body);
  if (method !== 'message/stream') return response.end(JSON.stringify(taskNotFound(id)));
  const [word, count] = params.message.parts[0].text.split(' ');
  const ids = { taskId: randomUUID(), contextId: 'c' };
  const send = (result) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ kind: 'status-update', ...ids, status: { state: 'working' }, final: false });
  const end = () => {
    send({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true });
    response.end();
  };
  const begin = () =>
    sendPieces({ response, send, end, ids, count: Number(count), text: word === 'pace' ? 'x' : large });
  if (word === 'flood') waiting.add(begin);
  else if (word === 'pace') begin();
  else {
    for (const start of waiting) start();
    waiting.clear();
    end();
  }
}

function sendPieces({ response, send, end, ids, count, text }) {
  let at = 0;
  const timer = setInterval(() => {
    // Data that Parley does not read yet is not produced.
    if (response.writableNeedDrain) return;
    if (at < count) {
      send({
        kind: 'artifact-update',
        ...ids,
        artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
        append: at > 0,
      });
      at += 1;
      return;
    }
    clearInterval(timer);
    end();
  }, everyMs);
  response.on('close', () => clearInterval(timer));
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(cardOf({ name: 'Flood', port: server.address().port, streaming: true })));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => respond(Buffer.concat(chunks).toString(), response));
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
