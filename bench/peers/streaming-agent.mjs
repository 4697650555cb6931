// An agent in A2A 0.3 that streams as it is told: "burst N" sends N events of some 160 bytes at once, "idle" one event and
// then nothing. What it costs itself is not measured; it stands behind every target alike.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { cardOf } from '../lib/card.mjs';

const text = 'x'.repeat(60);

function answer(body, response) {
  const { id, params } = JSON.parse(body);
  const [word, count] = params.message.parts[0].text.split(' ');
  const ids = { taskId: randomUUID(), contextId: 'c' };
  const send = (result) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send({ kind: 'status-update', ...ids, status: { state: 'working' }, final: false });
  if (word === 'idle') return;
  for (let at = 0; at < Number(count); at++) {
    send({
      kind: 'artifact-update',
      ...ids,
      artifact: { artifactId: 'a', parts: [{ kind: 'text', text }] },
      append: at > 0,
    });
  }
  send({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true });
  response.end();
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
  request.on('end', () => answer(Buffer.concat(chunks).toString(), response));
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
