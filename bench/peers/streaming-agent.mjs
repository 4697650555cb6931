// An A2A 0.3 agent with streaming commands: "burst N" sends N events of about 160 bytes immediately, "pace N" one every
// 20 ms with a timestamp, "idle" one event and then none until a "release" message. Its own cost is not measured; every
// target uses it.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { cardOf, taskNotFound } from '../lib/card.mjs';

const text = 'x'.repeat(60);
const paceMs = 20;
/** Functions that complete the idle streams. */
const idle = new Set();

function respond(body, response) {
  const { id, method, params } = JSON.parse(body);
  if (method !== 'message/stream') return response.end(JSON.stringify(taskNotFound(id)));
  const [word, count] = params.message.parts[0].text.split(' ');
  const ids = { taskId: randomUUID(), contextId: 'c' };
  const send = (result) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ kind: 'status-update', ...ids, status: { state: 'working' }, final: false });
  const piece = (at, content) => {
    const artifact = { artifactId: 'a', parts: [{ kind: 'text', text: content }] };
    send({ kind: 'artifact-update', ...ids, artifact, append: at > 0 });
  };
  const end = () => {
    send({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true });
    response.end();
  };
  if (word === 'idle') {
    idle.add(end);
    return;
  }
  if (word === 'pace') {
    pace(Number(count), piece, end);
    return;
  }
  if (word === 'release') {
    for (const release of idle) release();
    idle.clear();
  }
  for (let at = 0; at < Number(count ?? 0); at++) piece(at, text);
  end();
}

function pace(count, piece, end) {
  let at = 0;
  const timer = setInterval(() => {
    if (at < count) return piece(at++, `<${performance.timeOrigin + performance.now()}>`);
    clearInterval(timer);
    end();
  }, paceMs);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(cardOf({ name: 'Streams', port: server.address().port, streaming: true })));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => respond(Buffer.concat(chunks).toString(), response));
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
// Longer than a round of any other target, so that persistent connections stay open.
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
