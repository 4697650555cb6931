// A stateful A2A 0.3 agent: "count N" produces N numbered pieces of one artifact, one every few milliseconds,
// regardless of whether a client is connected. Supports tasks/get and tasks/resubscribe. GET /sends returns the number
// of messages received.
import { createServer } from 'node:http';
import { cardOf, taskNotFound } from '../lib/card.mjs';

const everyMs = 4;
const tasks = new Map();
let sends = 0;

function begin(text) {
  const total = Number(text.split(' ')[1]);
  const id = `n-${++sends}`;
  const task = { id, total, produced: 0, listeners: new Set() };
  tasks.set(id, task);
  const timer = setInterval(() => {
    if (task.produced < total) task.produced++;
    else clearInterval(timer);
    for (const notify of task.listeners) notify();
  }, everyMs);
  return task;
}

const stateOf = (task) => (task.produced < task.total ? 'working' : 'completed');
const piece = (at) => ({ kind: 'text', text: `${at};` });

function snapshot(task) {
  const parts = Array.from({ length: task.produced }, (_, at) => piece(at));
  const artifacts = task.produced > 0 ? [{ artifactId: 'numbers', parts }] : [];
  return { kind: 'task', id: task.id, contextId: 'c', status: { state: stateOf(task) }, artifacts, history: [] };
}

function respond(body, response) {
  const { id, method, params } = JSON.parse(body);
  const wrap = (result) => JSON.stringify({ jsonrpc: '2.0', id, result });
  const task = method === 'message/stream' ? begin(params.message.parts[0].text) : tasks.get(params.id);
  if (!task) return response.end(JSON.stringify(taskNotFound(id)));
  if (method === 'tasks/get') return response.setHeader('content-type', 'application/json').end(wrap(snapshot(task)));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${wrap(snapshot(task))}\n\n`);
  let sent = task.produced;
  const ids = { taskId: task.id, contextId: 'c' };
  const sendNew = () => {
    for (; sent < task.produced; sent++) {
      const artifact = { artifactId: 'numbers', parts: [piece(sent)] };
      response.write(`data: ${wrap({ kind: 'artifact-update', ...ids, artifact, append: sent > 0 })}\n\n`);
    }
    if (stateOf(task) === 'working') return;
    task.listeners.delete(sendNew);
    response.end(`data: ${wrap({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true })}\n\n`);
  };
  task.listeners.add(sendNew);
  response.on('close', () => task.listeners.delete(sendNew));
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const body =
      request.url === '/sends' ? { sends } : cardOf({ name: 'Numbers', port: server.address().port, streaming: true });
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => respond(Buffer.concat(chunks).toString(), response));
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
