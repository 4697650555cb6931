// What a message and a stream cost the database: commits, WAL, CPU, and connections, after deducting
// an idle node. The figures of docs/operations/scaling.md. They depend on how many calls arrive at once, because
// concurrent writes share a commit. No goals. Arguments: seconds of idling (10).
import pg from 'pg';
import { burst } from './lib/burst.mjs';
import { saveResults } from './lib/compare.mjs';
import { databaseMicros, findPostmaster, readDatabaseWork } from './lib/database-cost.mjs';
import { sendingMessages } from './lib/message.mjs';
import { open } from './lib/open-stream.mjs';
import { startParley } from './lib/parley.mjs';
import { cpuMicros, startPeer } from './lib/peer.mjs';

const idleSeconds = Number(process.argv[2] ?? 10);
/** Backends report their statistics at most once a second. */
const reportMs = 2_000;
const people = 200;
const messages = 6_000;
const streams = 64;
const events = 100;

const unary = await startPeer('unary-agent');
const streaming = await startPeer('streaming-agent');
const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${unary.info.port}` });
const client = new pg.Client({ connectionString: parley.databaseUrl });
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns what `work` costs in total. */
async function costOf(work) {
  await pause(reportMs);
  const read = async () => ({
    ...(await readDatabaseWork(client)),
    database: databaseMicros(postmaster),
    node: cpuMicros(parley.pid),
    seconds: performance.now() / 1_000,
  });
  const before = await read();
  await work();
  await pause(reportMs);
  const after = await read();
  return Object.fromEntries(Object.keys(after).map((key) => [key, after[key] - before[key]]));
}

await client.connect();
const postmaster = await findPostmaster(parley.databaseUrl);
const rows = [];
try {
  const tokens = await parley.tokens();
  const slug = await parley.list(`http://127.0.0.1:${streaming.info.port}`);
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const stream = {
    pid: parley.pid,
    origin: parley.origin,
    path: `/agents/${slug}/a2a/jsonrpc`,
    tokens: await parley.tokens(slug),
  };
  const sending = (connections) => sendingMessages(parley, { path, tokens, count: messages, connections });
  for (let round = 0; round < 3; round++) await sending(96)();
  await burst(stream, { streams, events });
  const idle = await costOf(() => pause(idleSeconds * 1_000));
  const add = async (name, count, work) => {
    const cost = await costOf(work);
    const each = (key) => Math.max(0, cost[key] - (idle[key] / idle.seconds) * cost.seconds) / count;
    const { rows: sessions } = await client.query(
      'SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()',
    );
    rows.push({
      work: name,
      commits: Number(each('commits').toFixed(2)),
      'WAL, bytes': Math.round(each('wal')),
      'PostgreSQL, µs': Math.round(each('database')),
      'node, µs': Math.round(each('node')),
      connections: Number(sessions[0].count) - 1,
    });
    console.log(JSON.stringify(rows.at(-1)));
  };
  for (const connections of [1, 16, 96]) await add(`message, ${connections} at once`, messages, sending(connections));
  for (const at of [4, streams])
    await add(`stream of ${events} events, ${at} at once`, streams, async () => {
      for (let done = 0; done < streams; done += at) await burst(stream, { streams: at, events });
    });
  for (const at of [4, 16])
    await add(`stream of ${events} events, one each 20 ms, ${at} at once`, at, async () => {
      const opened = await Promise.all(Array.from({ length: at }, (_, index) => open(stream, `pace ${events}`, index)));
      for (const { done } of opened) await done;
    });
  console.table(rows);
  console.log(
    `idle: ${(idle.commits / idle.seconds).toFixed(1)} commits and ${Math.round(idle.wal / idle.seconds)} bytes of WAL a second`,
  );
  saveResults('database', rows);
} finally {
  await client.end();
  await parley.stop();
  for (const peer of [unary, streaming]) await peer.stop();
}
