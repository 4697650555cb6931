// An agent in A2A 0.3 with a memory: "count N" tells N numbered pieces of one artifact, one every few milliseconds, whoever
// listens; it can be subscribed to and asked for its task. On "sends?" it tells how often each task was begun.
import { createServer } from 'node:http';
import { cardOf, taskNotFound } from '../lib/card.mjs';

const everyMs = 4;
const tasks = new Map();
let sends = 0;

function begin(text) {
  const total = Number(text.split(' ')[1]);
  const id = `n-${++sends}`;
  const task = { id, total, said: 0, listeners: new Set() };
  tasks.set(id, task);
  const timer = setInterval(() => {
    if (task.said < total) task.said++;
    else clearInterval(timer);
    for (const hear of task.listeners) hear();
  }, everyMs);
  return task;
}

const stateOf = (task) => (task.said < task.total ? 'working' : 'completed');
const piece = (at) => ({ kind: 'text', text: `${at};` });

function snapshot(task) {
  const parts = Array.from({ length: task.said }, (_, at) => piece(at));
  const artifacts = task.said > 0 ? [{ artifactId: 'numbers', parts }] : [];
  return { kind: 'task', id: task.id, contextId: 'c', status: { state: stateOf(task) }, artifacts, history: [] };
}

function answer(body, response) {
  const { id, method, params } = JSON.parse(body);
  const wrap = (result) => JSON.stringify({ jsonrpc: '2.0', id, result });
  const task = method === 'message/stream' ? begin(params.message.parts[0].text) : tasks.get(params.id);
  if (!task) return response.end(JSON.stringify(taskNotFound(id)));
  if (method === 'tasks/get') return response.setHeader('content-type', 'application/json').end(wrap(snapshot(task)));
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: ${wrap(snapshot(task))}\n\n`);
  let told = task.said;
  const ids = { taskId: task.id, contextId: 'c' };
  const hear = () => {
    for (; told < task.said; told++) {
      const artifact = { artifactId: 'numbers', parts: [piece(told)] };
      response.write(`data: ${wrap({ kind: 'artifact-update', ...ids, artifact, append: told > 0 })}\n\n`);
    }
    if (stateOf(task) === 'working') return;
    task.listeners.delete(hear);
    response.end(`data: ${wrap({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true })}\n\n`);
  };
  task.listeners.add(hear);
  response.on('close', () => task.listeners.delete(hear));
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const told =
      request.url === '/sends' ? { sends } : cardOf({ name: 'Numbers', port: server.address().port, streaming: true });
    return response.setHeader('content-type', 'application/json').end(JSON.stringify(told));
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => answer(Buffer.concat(chunks).toString(), response));
});
server.on('connection', (socket) => socket.on('error', () => socket.destroy()));
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })));
