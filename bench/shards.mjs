// What a message costs PostgreSQL with the owners in 1, 2 and 4 task databases: CPU and commits of the whole server, as
// ratios to one database in the same round. Concurrent writes to one database share commits, so the number of calls in
// flight per database is constant. The databases share the cores of this machine, so each serves fewer messages a second
// when there are more; what an idle server uses in the same time is therefore measured before each round and subtracted.
// Goals: at most 1.05. Arguments: rounds (5), messages per round and database (2000).
import { median, saveResults } from './lib/compare.mjs';
import { databaseMicros, findPostmaster } from './lib/database-cost.mjs';
import { sendingMessages } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';
import { runShards, startTaskDatabases, withClient } from './lib/task-databases.mjs';

const rounds = Number(process.argv[2] ?? 5);
const perDatabase = Number(process.argv[3] ?? 2_000);
const goal = 1.05;
const peoplePerDatabase = 100;
const inFlight = 8;
const idleMs = 5_000;

const agent = await startPeer('unary-agent');

/** Starts an installation whose owners are in `count` databases other than the main one, equally many in each. */
async function startInstallation(count) {
  const names = Array.from({ length: count }, (_, at) => `t${at + 1}`);
  const databases = await startTaskDatabases(names);
  const parley = await startParley({
    people: peoplePerDatabase * count,
    agentUrl: `http://127.0.0.1:${agent.info.port}`,
    database: databases,
    env: { TASK_DATABASE_URLS: databases.setting, EMBEDDINGS: 'off' },
  });
  for (const name of names) await runShards(parley.variables, 'add', name).ended;
  await withClient(databases.url, async (client) => {
    // An equal number in each, because a database with more of them would share commits more often.
    await client.query(
      `INSERT INTO task_owner (principal, database, assigned_at)
       SELECT id, 't' || 1 + row_number() OVER (ORDER BY id) % $1, now() FROM "user" ON CONFLICT (principal) DO UPDATE SET database = excluded.database`,
      [count],
    );
  });
  const send = sendingMessages(parley, {
    path: `/agents/${parley.slug}/a2a/jsonrpc`,
    tokens: await parley.tokens(),
    count: perDatabase * count,
    connections: inFlight * count,
  });
  const postmaster = await findPostmaster(databases.url);
  return {
    count,
    parley,
    databases,
    measure: () => costOf({ databases, postmaster, send, messages: perDatabase * count }),
  };
}

/** Returns the CPU (µs) and commits of the server per message, and the CPU (µs) per second of the idle server. */
async function costOf({ databases, postmaster, send, messages }) {
  const read = () =>
    withClient(databases.url, async (client) => {
      // Backends report their commits at most once a second.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const { rows } = await client.query('SELECT sum(xact_commit)::int AS commits FROM pg_stat_database');
      return { at: performance.now(), commits: rows[0].commits, cpu: databaseMicros(postmaster) };
    });
  const start = await read();
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const before = await read();
  await send();
  const after = await read();
  const idle = (key) => (before[key] - start[key]) / (before.at - start.at);
  const cost = (key) => (after[key] - before[key] - idle(key) * (after.at - before.at)) / messages;
  return { cpu: cost('cpu'), commits: cost('commits'), idle: idle('cpu') * 1_000 };
}

const installations = [];
for (const count of [1, 2, 4]) installations.push(await startInstallation(count));
try {
  const samples = installations.map(() => []);
  for (let round = -1; round < rounds; round++)
    for (const [at, { measure }] of installations.entries()) {
      const sample = await measure();
      if (round >= 0) samples[at].push(sample);
    }
  const ratio = (at, key) => median(samples[at].map((sample, round) => sample[key] / samples[0][round][key]));
  const rows = installations.map(({ count }, at) => ({
    databases: count,
    'PostgreSQL, µs': Math.round(median(samples[at].map(({ cpu }) => cpu))),
    'idle, µs/s': Math.round(median(samples[at].map(({ idle }) => idle))),
    commits: Number(median(samples[at].map(({ commits }) => commits)).toFixed(2)),
    'CPU ratio': Number(ratio(at, 'cpu').toFixed(2)),
    'commits ratio': Number(ratio(at, 'commits').toFixed(2)),
  }));
  console.table(rows);
  saveResults('shards', rows);
  if (rows.some((row) => row['CPU ratio'] > goal || row['commits ratio'] > goal)) process.exitCode = 1;
} finally {
  for (const { parley } of installations) await parley.stop();
  await agent.stop();
}
