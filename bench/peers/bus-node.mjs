// One node of the notifications between nodes, without the rest of Parley: bundled and started by bench/notices.mjs. As
// `writer` it commits rows at a constant rate, each with a notification with its own key. As `reader` it records the
// arrival times of the notifications. Both use the system's monotonic clock, which is the same for all processes.
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import {
  describeNotices,
  isListening,
  isOnlyNode,
  keepInterest,
  notifyStatements,
  publishCommitted,
  startBus,
  stopBus,
  subscribe,
} from '../../lib/platform/bus';
import { closePipeline, executePipelined } from '../../lib/platform/db/pipelined-statements';
import { closePool, execute } from '../../lib/platform/db/sql';

const [role, databaseUrl, natsServer] = process.argv.slice(2);
const now = () => Number(process.hrtime.bigint()) / 1e6;
const arrivals = {};
const seen = (kind, key) => {
  arrivals[kind] ??= {};
  arrivals[kind][key] = now();
};
const insert = (key) => ({ name: 'bench-insert', text: 'INSERT INTO bench_commit VALUES ($1)', values: [key] });

await execute('bench-create', 'CREATE TABLE IF NOT EXISTS bench_commit (key text)');
await startBus();
const client = new pg.Client({ connectionString: databaseUrl });
await client.connect();
const nats = natsServer ? await connect({ servers: natsServer }) : null;
if (role === 'reader') {
  keepInterest('task', '*');
  subscribe('task', '*', (key) => seen('parley', key));
  client.on('notification', ({ payload }) => seen('LISTEN', payload));
  await client.query('LISTEN bench');
  nats?.subscribe('bench.*', { callback: (_error, { subject }) => seen('nats', subject.slice(6)) });
}

/** Senders of a notification for one key; resolve with the start and end times. */
const senders = {
  parley: async (key) => {
    const startedAt = now();
    await executePipelined([insert(key), ...notifyStatements('task', () => [key])]);
    const committedAt = now();
    publishCommitted('task', key);
    return { startedAt, committedAt };
  },
  LISTEN: async (key) => {
    const startedAt = now();
    await execute('bench-notify', "SELECT pg_notify('bench', $1)", [key]);
    return { startedAt, committedAt: now() };
  },
  nats: async (key) => {
    const startedAt = now();
    nats.publish(`bench.${key}`);
    return { startedAt, committedAt: startedAt };
  },
};

/** Sends at a constant rate for some seconds. */
async function send({ kind, rate, seconds, label }) {
  const times = {};
  const running = [];
  const total = rate * seconds;
  const startedAt = now();
  for (let sent = 0; sent < total; ) {
    for (const due = ((now() - startedAt) / 1_000) * rate; sent < due && sent < total; sent++) {
      const key = `${label}-${sent}`;
      running.push(senders[kind](key).then((time) => (times[key] = time)));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
  return { times, perSecond: total / ((now() - startedAt) / 1_000) };
}

process.on('message', async ({ ask, plan }) => {
  if (ask === 'ready')
    process.send({ ready: isListening() && !isOnlyNode() && (!nats || describeNotices()?.over === 'nats') });
  if (ask === 'send') process.send({ sent: await send(plan) });
  if (ask === 'arrivals') process.send({ arrivals: arrivals[plan.kind] ?? {} });
  if (ask !== 'stop') return;
  await stopBus();
  await nats?.close();
  await client.end();
  await Promise.all([closePipeline(), closePool()]);
  process.exit();
});
process.on('disconnect', () => process.exit());
process.send({ started: true });
