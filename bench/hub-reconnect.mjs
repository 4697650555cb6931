// 2,000 workers, each with a run that sends a numbered piece every two seconds, lose their connections: once because
// all connections break, and once because their node is killed (SIGKILL) and they connect to the other one. Goal: all
// are back with their runs within 10 s, no handler starts twice, and every piece is stored once and in order.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { listHubAgents, startWorkers } from './lib/hub-workers.mjs';
import { load } from './lib/load.mjs';
import { startParley } from './lib/parley.mjs';
import { cpuMicros } from './lib/peer.mjs';

const agents = 100;
const workersPerAgent = 20;
const runs = agents * workersPerAgent;
/** Users who start the runs: each may send a hundred messages in one burst. */
const people = 50;
const pieces = 20;
const goalSeconds = 10;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const parley = await startParley({ people });
const stops = [parley.stop];

/** Starts one run per worker, in the background. */
async function startRuns({ pid, origin }, slugs) {
  const tokens = new Map();
  for (const slug of slugs) tokens.set(slug, await parley.tokens(slug));
  const request = (index) => {
    const slug = slugs[index % slugs.length];
    const parts = [{ kind: 'text', text: `count ${pieces}` }];
    const message = { kind: 'message', messageId: randomUUID(), role: 'user', parts };
    const params = { message, configuration: { blocking: false } };
    const token = tokens.get(slug)[Math.floor(index / slugs.length) % people];
    return {
      method: 'POST',
      path: `/agents/${slug}/a2a/jsonrpc`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: index, method: 'message/send', params }),
    };
  };
  const isRight = (body) => body.includes('"kind":"task"');
  await load({ target: { pid, origin }, count: runs, connections: 32, request, isRight });
}

async function until(condition, seconds) {
  for (let waited = 0; !(await condition()); waited += 0.1) {
    if (waited > seconds) return false;
    await wait(100);
  }
  return true;
}

/** Returns the texts of the tasks created since then, complete or not. */
async function textsSince(client, since) {
  const { rows } = await client.query(
    `SELECT t.state, coalesce((SELECT string_agg(part->>'text', '' ORDER BY e.seq, item.at, part_at)
       FROM task_event e, jsonb_array_elements(e.payload::jsonb) WITH ORDINALITY item(event, at),
         jsonb_array_elements(item.event->'artifact'->'parts') WITH ORDINALITY p(part, part_at)
       WHERE e.task_id = t.id AND item.event->>'type' = 'artifact'), '') AS text
     FROM task t WHERE t.created_at >= $1`,
    [since],
  );
  return rows;
}

/** `node`: the node to which the workers reconnect. */
async function measure(name, { workers, client, slugs, node, disconnect }) {
  const call = async (path) => (await fetch(`http://127.0.0.1:${workers.info.port}${path}`)).json();
  const since = new Date();
  const before = await call('/forget');
  await startRuns(parley, slugs);
  if (!(await until(async () => (await call('/stats')).starts === before.starts + runs, 30)))
    throw new Error(`only ${(await call('/stats')).starts - before.starts} of ${runs} runs started`);
  await wait(1_000);
  const cpuBefore = cpuMicros(node.pid);
  await disconnect(call);
  await until(async () => (await call('/stats')).resumed >= runs, 60);
  const cpuSeconds = (cpuMicros(node.pid) - cpuBefore) / 1e6;
  const { lostAt, resumedAt, resumed, gone } = await call('/stats');
  await until(async () => {
    const { rows } = await client.query('SELECT 1 FROM task WHERE run_node IS NOT NULL LIMIT 1');
    return rows.length === 0;
  }, 120);
  const expected = Array.from({ length: pieces }, (_, at) => `${at};`).join('');
  const tasks = await textsSince(client, since);
  const wrong = tasks.filter(({ state, text }) => state !== 'completed' || text !== expected).length;
  const { starts } = await call('/stats');
  const seconds = (resumedAt - lostAt) / 1_000;
  const twice = starts - before.starts - runs;
  console.log(
    `${name}: ${resumed} of ${runs} workers back with their runs after ${seconds.toFixed(1)} s (goal <= ${goalSeconds}; CPU of ` +
      `the node ${cpuSeconds.toFixed(1)} s), ${gone} runs given up, ${twice} started again, ${wrong} of ${tasks.length} tasks with a lost or repeated piece`,
  );
  return seconds <= goalSeconds && resumed === runs && gone === 0 && twice === 0 && wrong === 0;
}

const client = new pg.Client({ connectionString: parley.databaseUrl });
try {
  await client.connect();
  const slugs = await listHubAgents(parley, agents);
  const other = await parley.another();
  const origins = [parley.origin, other.origin];
  const workers = await startWorkers(parley, { slugs, workers: workersPerAgent, capacity: 1, origins });
  stops.unshift(workers.stop);
  const shared = { workers, client, slugs };
  const dropped = await measure('connections broken', { ...shared, node: parley, disconnect: (call) => call('/drop') });
  const killed = await measure('node killed', {
    ...shared,
    node: other,
    disconnect: () => process.kill(parley.pid, 'SIGKILL'),
  });
  process.exitCode = dropped && killed ? 0 : 1;
} finally {
  await client.end();
  for (const stop of stops) await stop();
}
