// Workers of agents that connect to Parley, all in one process. "pace N" is answered with N pieces that contain the
// time, one every 20 ms; "count N" with N numbered pieces, one every two seconds; all other messages immediately with a
// completed task, like unary-agent. A worker whose connection breaks reconnects, if necessary to the next origin, and
// resends unacknowledged events. Arguments: Parley's origins, separated by commas, and a file with a list of { agent,
// token, workers, capacity }. GET /stats at the printed port; GET /drop breaks all connections.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import WebSocket from 'ws';

const origins = process.argv[2].split(',');
const paceMs = 20;
const countMs = 2_000;
/** Maximum delay of the first retry, as in the SDK; each further maximum is twice as long. */
const firstRetryMs = 500;
const maxRetryMs = 8_000;

const workers = [];
const stats = { connected: 0, lostAt: 0, resumedAt: 0, resumed: 0, gone: 0, starts: 0 };

class Worker {
  id = randomUUID();
  runs = new Map();
  retryMs = firstRetryMs;
  at = 0;

  constructor(identity) {
    this.identity = identity;
  }

  /** Resolves once the worker is connected. */
  connect() {
    const { agent, token, capacity } = this.identity;
    const origin = origins[this.at % origins.length];
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws/agents`, 'parley.hub.v1', {
      perMessageDeflate: false,
    });
    this.socket = socket;
    const runs = () => [...this.runs.values()].map(({ runId, epoch, sent }) => ({ runId, epoch, sent }));
    socket.on('open', () => {
      const params = { agent, token, capacity, workerId: this.id, runs: runs() };
      this.send({ id: 'hello', method: 'hub.hello', params });
    });
    return new Promise((resolve, reject) => {
      socket.on('error', () => undefined);
      socket.on('close', (code, reason) => {
        if (!this.welcomed && workers.length === 0) reject(new Error(`closed: ${code} ${reason}`));
        else this.lose();
      });
      socket.on('message', (data) => {
        const { id, method, params, result, error } = JSON.parse(data);
        if (error) reject(new Error(error.message));
        else if (id === 'hello' && result) {
          this.welcome(result);
          resolve();
        } else if (method === 'run.offer') this.offer(id, params);
        else if (method === 'run.start') this.runs.get(params.runId)?.start();
        else if (method === 'run.ack') this.runs.get(params.runId)?.acknowledge(params.n);
      });
    });
  }

  lose() {
    if (this.welcomed) {
      stats.connected -= 1;
      stats.lostAt ||= Date.now();
    }
    // The node may be gone.
    if (!this.welcomed) this.at += 1;
    this.welcomed = false;
    setTimeout(() => this.connect().catch(() => undefined), Math.random() * this.retryMs);
    this.retryMs = Math.min(this.retryMs * 2, maxRetryMs);
  }

  welcome({ runs }) {
    this.welcomed = true;
    this.retryMs = firstRetryMs;
    stats.connected += 1;
    for (const { runId, seen, gone } of runs) {
      if (gone) stats.gone += 1;
      else stats.resumed += 1;
      if (gone) this.runs.delete(runId);
      else this.runs.get(runId)?.resume(seen);
    }
    if (stats.lostAt) stats.resumedAt = Date.now();
  }

  offer(id, { runId, epoch, request, task }) {
    this.runs.set(runId, new Run(this, { runId, epoch, task, text: request.message.parts[0].text }));
    this.send({ id, result: { accept: true } });
  }

  send(frame) {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', ...frame }));
  }
}

class Run {
  sent = 0;
  started = false;
  /** Events by number that are not acknowledged. */
  pending = new Map();
  isOver = false;

  constructor(worker, { runId, epoch, task, text }) {
    Object.assign(this, { worker, runId, epoch, task, text });
  }

  start() {
    if (this.started) return;
    this.started = true;
    stats.starts += 1;
    const [word, count] = this.text.split(' ');
    if (word === 'pace') this.produce(Number(count), paceMs, () => `<${performance.timeOrigin + performance.now()}>`);
    else if (word === 'count') this.produce(Number(count), countMs, (at) => `${at};`);
    else this.answer();
  }

  answer() {
    const artifacts = [{ artifactId: 'a', parts: [{ text: this.text }] }];
    this.end({ task: { ...this.ids('id'), status: { state: 'TASK_STATE_COMPLETED' }, artifacts } });
  }

  produce(total, everyMs, textOf) {
    let at = 0;
    const timer = setInterval(() => {
      if (at < total) return this.piece(textOf(at), at++);
      clearInterval(timer);
      this.end({ statusUpdate: { ...this.ids('taskId'), status: { state: 'TASK_STATE_COMPLETED' } } });
    }, everyMs);
  }

  piece(text, at) {
    const artifact = { artifactId: 'a', parts: [{ text }] };
    this.event({ artifactUpdate: { ...this.ids('taskId'), artifact, append: at > 0 } });
  }

  end(item) {
    this.isOver = true;
    this.event(item);
  }

  event(item) {
    this.sent += 1;
    this.pending.set(this.sent, item);
    this.sendPending(this.sent);
  }

  sendPending(n) {
    if (!this.worker.welcomed) return;
    const params = { runId: this.runId, epoch: this.epoch, n, item: this.pending.get(n) };
    this.worker.send({ method: 'run.event', params });
  }

  resume(seen) {
    this.acknowledge(seen);
    for (const n of this.pending.keys()) this.sendPending(n);
  }

  acknowledge(upTo) {
    for (const n of this.pending.keys()) if (n <= upTo) this.pending.delete(n);
    if (this.isOver && this.pending.size === 0) this.worker.runs.delete(this.runId);
  }

  ids(name) {
    return { [name]: this.task.id, contextId: this.task.contextId };
  }
}

for (const { agent, token, workers: count, capacity } of JSON.parse(readFileSync(process.argv[3], 'utf8'))) {
  const added = Array.from({ length: count }, () => new Worker({ agent, token, capacity }));
  await Promise.all(added.map((worker) => worker.connect()));
  workers.push(...added);
}
const server = createServer((request, response) => {
  if (request.url === '/drop') {
    stats.lostAt = Date.now();
    for (const { socket } of workers) socket.terminate();
  }
  if (request.url === '/forget') Object.assign(stats, { lostAt: 0, resumedAt: 0, resumed: 0, gone: 0 });
  response.setHeader('content-type', 'application/json').end(JSON.stringify(stats));
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ port: server.address().port, connections: workers.length })),
);
process.on('SIGTERM', () => process.exit());
