// CPU cost of each additional reader of a task: five users, each with one task and 20 readers (the limit per user), 100
// readers in all. Per reader and event, including the run and the disk. Goal: at most 1.5 times the CPU of a program
// that only writes the same number of events to the same number of connections, which is the system's share.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { compare } from './lib/compare.mjs';
import { startParley } from './lib/parley.mjs';
import { cpuMicros, startPeer } from './lib/peer.mjs';

const people = 5;
const watchers = 20;
const events = 500;
const goalRatio = 1.5;
/** Rounds until the per-event code of a run is optimized. */
const warmUps = 4;
const sockets = new Agent({ keepAlive: false });

const agent = await startPeer('numbered-agent');
const bare = await startPeer('bare-fan-out');
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}` });
const path = `/agents/${parley.slug}/a2a/jsonrpc`;

/** Opens one stream; resolves with the task's id and the number of pieces received by its end. */
function follow(token, method, params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const sent = request(`${parley.origin}${path}`, { method: 'POST', agent: sockets, headers }, (response) => {
      let text = '';
      const seen = new Promise((end) => response.on('end', () => end(text.match(/"text":"\d+;"/g)?.length ?? 0)));
      response.on('data', (chunk) => {
        text += chunk;
        const [, id] = /"id":"([0-9a-f-]{36})"/.exec(text) ?? [];
        if (id) resolve({ id, seen });
      });
      response.on('end', () => reject(new Error(`unexpected stream: ${text.slice(0, 300)}`)));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

async function watchOne(token) {
  const parts = [{ kind: 'text', text: `count ${events}` }];
  const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts };
  const first = await follow(token, 'message/stream', { message });
  const others = await Promise.all(
    Array.from({ length: watchers - 1 }, () => follow(token, 'tasks/resubscribe', { id: first.id })),
  );
  for (const seen of await Promise.all([first, ...others].map((stream) => stream.seen)))
    if (seen !== events) throw new Error(`a watcher saw ${seen} of ${events} events`);
}

/** Measures the same number of readers and events with the bare fan-out program. */
async function watchBare(group) {
  const url = `http://127.0.0.1:${bare.info.port}/${group}?readers=${watchers}&events=${events}`;
  const read = () =>
    new Promise((resolve, reject) => {
      request(url, { agent: sockets }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
  await Promise.all(Array.from({ length: watchers }, read));
}

/** CPU per reader and event. */
async function costOf({ pid }, watch) {
  const delivered = people * watchers * events;
  const before = cpuMicros(pid);
  const startedAt = performance.now();
  await watch();
  const seconds = (performance.now() - startedAt) / 1000;
  return { cpu: (cpuMicros(pid) - before) / delivered, rate: delivered / seconds };
}

try {
  const tokens = await parley.tokens();
  const groups = Array.from({ length: people }, (_, group) => group);
  const met = await compare({
    name: 'watchers',
    rounds: 5,
    warmUps,
    targets: [
      { name: 'bare fan-out', measure: () => costOf(bare, () => Promise.all(groups.map(watchBare))) },
      { name: 'Parley', measure: () => costOf(parley, () => Promise.all(tokens.map(watchOne))), goal: goalRatio },
    ],
  });
  process.exitCode = met ? 0 : 1;
} finally {
  for (const { stop } of [parley, agent, bare]) await stop();
}
