// Latency from worker to reader of an agent that connects to Parley, whose events are persisted before they are sent,
// compared with an agent at a URL, and with JetStream (EVENTS_URL), which stores them before PostgreSQL does, on a second Parley.
// A bare relay that only waits for JetStream is the limit of the machine. Goal: at most 1.5 ms (median), times the machine's
// factor, or 1.5 times the bare relay where that takes longer, with fifty streams of an event every 20 ms; and with JetStream
// at most three commits for a task of 100 events.

import pg from 'pg';
import { median } from './lib/compare.mjs';
import { listHubAgents, startWorkers } from './lib/hub-workers.mjs';
import { startJetStream } from './lib/jetstream.mjs';
import { lagOf } from './lib/lag.mjs';
import { goalHere } from './lib/machine.mjs';
import { open } from './lib/open-stream.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';

const people = 50;
const rounds = 3;
const goalMs = goalHere(1.5);
const concurrentStreams = [1, 10, 50];
const maxCommits = 3;
const maxOverBare = 1.5;
const countedTasks = 10;
const eventsPerTask = 100;

const agent = await startPeer('streaming-agent');
const stops = [agent.stop];

async function startWith(env) {
  const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${agent.info.port}`, env });
  stops.unshift(parley.stop);
  const [served] = await listHubAgents(parley, 1);
  stops.unshift((await startWorkers(parley, { slugs: [served], workers: 2, capacity: 100 })).stop);
  const targetOf = async (slug) => ({
    origin: parley.origin,
    path: `/agents/${slug}/a2a/jsonrpc`,
    tokens: await parley.tokens(slug),
  });
  return { parley, address: await targetOf(parley.slug), hub: await targetOf(served) };
}

/**
 * Commits per task, in tasks that run one after the other: each changes the row of the task once, except the acceptance of a
 * worker, which does so only if it begins a segment of the event stream.
 */
async function commitsPerTask({ parley, hub }, acceptances) {
  const client = new pg.Client({ connectionString: parley.databaseUrl });
  await client.connect();
  const changes = async () => {
    // An idle backend reports its counts within ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    const { rows } = await client.query(
      "SELECT n_tup_ins + n_tup_upd AS n FROM pg_stat_user_tables WHERE relname = 'task'",
    );
    return Number(rows[0].n);
  };
  const before = await changes();
  for (let at = 0; at < countedTasks; at++) await (await open(hub, `pace ${eventsPerTask}`, at)).done;
  const count = (await changes()) - before;
  await client.end();
  return count / countedTasks + acceptances;
}

try {
  const stream = await startJetStream();
  const plain = await startWith({});
  const targets = { address: plain.address, hub: plain.hub };
  let streamed;
  if (stream) {
    stops.push(stream.stop);
    streamed = await startWith({ EVENTS_URL: stream.url });
    targets.jetstream = streamed.hub;
    const relay = await startPeer('bare-relay', [`http://127.0.0.1:${agent.info.port}`, stream.url]);
    stops.unshift(relay.stop);
    targets.bare = { origin: `http://127.0.0.1:${relay.info.port}`, path: '/' };
  } else console.log('JetStream: not measured, because nats-server is not installed');
  for (const target of Object.values(targets)) await lagOf(target, 50);
  const last = {};
  for (const streams of concurrentStreams) {
    const lags = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
    for (let round = 0; round < rounds; round++)
      for (const [name, target] of Object.entries(targets)) lags[name].push(await lagOf(target, streams));
    for (const [name, all] of Object.entries(lags)) last[name] = median(all);
    const goal = streams === concurrentStreams.at(-1) ? `; goal <= ${goalMs}` : '';
    const overStream = stream
      ? `, ${last.jetstream.toFixed(2)} ms with JetStream (bare relay ${last.bare.toFixed(2)} ms)`
      : '';
    console.log(
      `lag of ${streams}: ${last.hub.toFixed(2)} ms from worker to reader${overStream}, ${last.address.toFixed(2)} ms from an ` +
        `agent behind an address (medians of ${rounds} rounds)${goal}`,
    );
  }
  let isReached = last.hub <= goalMs;
  if (streamed) {
    const [commits, before] = [await commitsPerTask(streamed, 0), await commitsPerTask(plain, 1)];
    console.log(
      `commits per task of ${eventsPerTask} events: ${commits.toFixed(1)} with JetStream, ${before.toFixed(1)} without; goal <= ${maxCommits}`,
    );
    isReached = last.jetstream <= Math.max(goalMs, maxOverBare * last.bare) && commits <= maxCommits;
  }
  process.exitCode = isReached ? 0 : 1;
} finally {
  for (const stop of stops) await stop();
}
