// The lower bound of a fan-out: `GET /<group>?readers=R&events=N` joins a group; once R have joined, N events of
// Parley's size are written to each, one every few milliseconds. Does not parse, check or persist anything.
import { createServer } from 'node:http';

const everyMs = 4;
const groups = new Map();

function eventOf(at) {
  const ids = { taskId: '00000000-0000-4000-8000-000000000000', contextId: '00000000-0000-4000-8000-000000000000' };
  const artifact = { artifactId: 'numbers', parts: [{ kind: 'text', text: `${at};` }] };
  const result = { kind: 'artifact-update', ...ids, artifact, append: at > 0, lastChunk: false };
  return `id: ${at}\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result })}\n\n`;
}

function send(readers, events) {
  let at = 0;
  const timer = setInterval(() => {
    if (at < events) {
      const text = eventOf(at++);
      for (const reader of readers) reader.write(text);
      return;
    }
    clearInterval(timer);
    for (const reader of readers) reader.end();
  }, everyMs);
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  const readers = groups.get(pathname) ?? [];
  groups.set(pathname, readers);
  readers.push(response);
  if (readers.length < Number(searchParams.get('readers'))) return;
  groups.delete(pathname);
  send(readers, Number(searchParams.get('events')));
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
