// Latency that Parley adds to a message without other load: one connection, one message at a time. Compared with what a
// bare proxy adds and with a PostgreSQL commit of one row; a message waits for two commits. The targets alternate
// message by message, so that each runs under the same conditions. The measured process has a core of its own; load
// generator, agent and database share the other.
// Goal: at most three times what the bare proxy adds, plus two bare commits.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import pg from 'pg';
import { median } from './lib/compare.mjs';
import { textOf } from './lib/load.mjs';
import { messageTo, text } from './lib/message.mjs';
import { startParley } from './lib/parley.mjs';
import { startPeer } from './lib/peer.mjs';
import { messagesIn } from './lib/raw-http.mjs';

/** Messages per target; the warm-ups are not counted. */
const warmUps = 5_000;
const count = 5_000;
/** The fewest users that may send this many messages: the limit is ten a second each. */
const people = 50;

/** Pins all threads of a process, and the processes that it starts later, to one core. */
function pin(core, pid) {
  const { status, stderr } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)]);
  if (status !== 0) throw new Error(`taskset: ${stderr}`);
}

pin(1, process.pid);
const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const proxy = await startPeer('bare-pipe', [String(agent.info.port)]);
const parley = await startParley({ people, agentUrl });
const database = new pg.Client({ connectionString: parley.databaseUrl });

/** Measures a message over a persistent connection, milliseconds. */
async function openSender({ origin, path = '/', tokens }) {
  const { hostname, port, host } = new URL(origin);
  let onResponse;
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const read = messagesIn((head, body) =>
    onResponse(head.startsWith('http/1.1 200 ') && body.includes(text) ? null : head + body),
  );
  socket.on('data', read);
  return (index) => {
    const headers = { 'content-type': 'application/json' };
    if (tokens) headers.authorization = `Bearer ${tokens[index % tokens.length]}`;
    const requestText = textOf({ method: 'POST', path, headers, body: messageTo(index) }, host);
    const startedAt = performance.now();
    return new Promise((resolve, reject) => {
      onResponse = (failure) =>
        failure ? reject(new Error(`${origin}: ${failure}`)) : resolve(performance.now() - startedAt);
      socket.write(requestText);
    });
  };
}

async function commit() {
  const startedAt = performance.now();
  await database.query({ name: 'bare', text: 'INSERT INTO bare_row VALUES ($1)', values: [randomUUID()] });
  return performance.now() - startedAt;
}

try {
  await database.connect();
  await database.query('CREATE TABLE bare_row (id uuid PRIMARY KEY)');
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const targets = {
    direct: await openSender({ origin: agentUrl }),
    proxy: await openSender({ origin: `http://127.0.0.1:${proxy.info.port}` }),
    parley: await openSender({ origin: parley.origin, path, tokens: await parley.tokens() }),
    commit,
  };
  for (const { pid } of [parley, proxy]) pin(0, pid);
  const times = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
  for (let index = -warmUps; index < count; index++) {
    for (const [name, measure] of Object.entries(targets)) {
      const ms = await measure(index + warmUps);
      if (index >= 0) times[name].push(ms);
    }
  }
  const medians = Object.fromEntries(Object.entries(times).map(([name, each]) => [name, median(each)]));
  const added = { proxy: medians.proxy - medians.direct, parley: medians.parley - medians.direct };
  const goal = 3 * added.proxy + 2 * medians.commit;
  const us = (ms) => `${Math.round(ms * 1_000)} µs`;
  console.log(
    `one message at a time: Parley adds ${us(added.parley)}, a bare proxy ${us(added.proxy)}, a bare commit takes ` +
      `${us(medians.commit)} (medians of ${count}; ${us(medians.direct)} direct); goal <= ${us(goal)}`,
  );
  process.exitCode = added.parley <= goal ? 0 : 1;
} finally {
  await database.end();
  for (const { stop } of [parley, proxy, agent]) await stop();
}
