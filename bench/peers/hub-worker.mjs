// Workers of agents that connect to Parley. Each run is answered immediately with a completed task, like unary-agent.
// Arguments: Parley's origin, and a file with a list of { agent, token, workers, capacity }.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import WebSocket from 'ws';

const [origin, file] = process.argv.slice(2);
const sockets = [];

for (const { agent, token, workers, capacity } of JSON.parse(readFileSync(file, 'utf8'))) {
  await Promise.all(Array.from({ length: workers }, () => connect({ agent, token, capacity })));
}
console.log(JSON.stringify({ connections: sockets.length }));
process.on('SIGTERM', () => process.exit());

function connect({ agent, token, capacity }) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/agents`, 'parley.hub.v1', {
    perMessageDeflate: false,
  });
  sockets.push(socket);
  const runs = new Map();
  const send = (frame) => socket.send(JSON.stringify({ jsonrpc: '2.0', ...frame }));
  socket.on('open', () =>
    send({ id: 'hello', method: 'hub.hello', params: { agent, token, capacity, workerId: randomUUID() } }),
  );
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', (code, reason) => reject(new Error(`closed: ${code} ${reason}`)));
    socket.on('message', (data) => {
      const { id, method, params, result, error } = JSON.parse(data);
      if (error) reject(new Error(error.message));
      else if (id === 'hello' && result) resolve();
      else if (method === 'run.offer') {
        runs.set(params.runId, params);
        send({ id, result: { accept: true } });
      } else if (method === 'run.start') answer(runs.get(params.runId));
    });
  });

  function answer({ runId, epoch, request, task }) {
    runs.delete(runId);
    const artifact = { artifactId: 'a', parts: [{ text: request.message.parts[0].text }] };
    const status = { state: 'TASK_STATE_COMPLETED' };
    const item = { task: { id: task.id, contextId: task.contextId, status, artifacts: [artifact] } };
    send({ method: 'run.event', params: { runId, epoch, n: 1, item } });
  }
}
