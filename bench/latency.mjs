// What Parley adds to one message when nothing else is asked of it: one connection, one message after another. Beside it what a
// bare proxy adds, and what PostgreSQL takes for a commit of one row, of which a message waits for two. All take turns, message by
// message, so that each finds the machine as the others left it; whoever is measured has a core of its own, and who calls, who
// answers and the database share the other.
// Goal: at most three times the bare proxy's addition and two bare commits.
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

/** Messages of each kind; the first ones warm up and are not counted. */
const warmUps = 5_000;
const count = 5_000;
/** As few as may send so many messages: each ten a second. */
const people = 50;

/** Has all threads of a process, and the processes that it starts from then on, run on one core. */
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

/** Milliseconds of one message over a connection that stays open. */
async function asking({ origin, path = '/', tokens }) {
  const { hostname, port, host } = new URL(origin);
  let told;
  const socket = connect({ port: Number(port), host: hostname, noDelay: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const read = messagesIn((head, body) =>
    told(head.startsWith('http/1.1 200 ') && body.includes(text) ? null : head + body),
  );
  socket.on('data', read);
  return (index) => {
    const headers = { 'content-type': 'application/json' };
    if (tokens) headers.authorization = `Bearer ${tokens[index % tokens.length]}`;
    const wire = textOf({ method: 'POST', path, headers, body: messageTo(index) }, host);
    const begun = performance.now();
    return new Promise((resolve, reject) => {
      told = (fault) => (fault ? reject(new Error(`${origin}: ${fault}`)) : resolve(performance.now() - begun));
      socket.write(wire);
    });
  };
}

async function commit() {
  const begun = performance.now();
  await database.query({ name: 'bare', text: 'INSERT INTO bare_row VALUES ($1)', values: [randomUUID()] });
  return performance.now() - begun;
}

try {
  await database.connect();
  await database.query('CREATE TABLE bare_row (id uuid PRIMARY KEY)');
  const path = `/agents/${parley.slug}/a2a/jsonrpc`;
  const targets = {
    direct: await asking({ origin: agentUrl }),
    proxy: await asking({ origin: `http://127.0.0.1:${proxy.info.port}` }),
    parley: await asking({ origin: parley.origin, path, tokens: await parley.tokens() }),
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
  const middle = Object.fromEntries(Object.entries(times).map(([name, each]) => [name, median(each)]));
  const added = { proxy: middle.proxy - middle.direct, parley: middle.parley - middle.direct };
  const goal = 3 * added.proxy + 2 * middle.commit;
  const us = (ms) => `${Math.round(ms * 1_000)} µs`;
  console.log(
    `one message alone: Parley adds ${us(added.parley)}, a bare proxy ${us(added.proxy)}, a bare commit takes ` +
      `${us(middle.commit)} (medians of ${count}; ${us(middle.direct)} without either); goal <= ${us(goal)}`,
  );
  process.exitCode = added.parley <= goal ? 0 : 1;
} finally {
  await database.end();
  for (const { stop } of [parley, proxy, agent]) await stop();
}
