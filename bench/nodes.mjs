// CPU time of a message and of an event on one, two and four nodes, with and without NATS, at the same rate per node:
// of the nodes, PostgreSQL and NATS. Events are read on the node that runs the task and on another one. The cost of
// idle nodes is measured first, deducted and printed. Goal: on n nodes, a message costs at most 1.1 times the CPU of
// one node. All share the cores of this machine, so n installations of one node each are measured as well: the rest of
// the ratio is the cost of more processes on these cores. Arguments: seconds per measurement, numbers of nodes
// (`1,2,4`).
import { execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../scripts/processes.mjs';
import { saveResults } from './lib/compare.mjs';
import { databaseMicros, findPostmaster } from './lib/database-cost.mjs';
import { open } from './lib/open-stream.mjs';
import { startParley } from './lib/parley.mjs';
import { cpuMicros, startPeer } from './lib/peer.mjs';

const seconds = Number(process.argv[2] ?? 10);
const nodeCounts = (process.argv[3] ?? '1,2,4').split(',').map(Number);
const warmUpSeconds = 10;
/** Messages per second and node: two cores carry four nodes, the database, the agents and the load. */
const perSecond = 50;
/** Streams per node; each has an event every 20 ms. */
const streams = 2;
/** Measurements of each kind; the one with the median CPU is used. */
const rounds = 3;
const eventsPerStream = seconds * 50;
const goal = 1.1;
/** Of each installation. */
const people = 40;
const openLoop = fileURLToPath(new URL('lib/open-loop.mjs', import.meta.url));

const unary = await startPeer('unary-agent');
const streaming = await startPeer('streaming-agent');
const natsPort = String(await freePort());
const nats = spawn('nats-server', ['-a', '127.0.0.1', '-p', natsPort], { stdio: 'ignore' });

/** @returns the CPU time of each part while `work` runs, in µs per second */
async function cpuOf({ nodes, postmasters }, work) {
  const read = () => ({
    nodes: nodes.reduce((sum, { pid }) => sum + cpuMicros(pid), 0),
    database: postmasters.reduce((sum, pid) => sum + databaseMicros(pid), 0),
    nats: cpuMicros(nats.pid),
  });
  const before = read();
  const startedAt = performance.now();
  const count = await work();
  const elapsed = (performance.now() - startedAt) / 1_000;
  const after = read();
  const spent = (part) => after[part] - before[part];
  return { elapsed, count, nodes: spent('nodes'), database: spent('database'), nats: spent('nats') };
}

/** Sends messages at a constant rate, from one process per node. */
async function sendUnary(nodes) {
  const plan = { rate: perSecond, seconds };
  const results = await Promise.all(nodes.map(({ origin, calls }) => runOpenLoop({ origin, ...calls, ...plan })));
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const lost = sum('failed') + sum('rejected') + sum('unsent');
  if (lost > 0) console.log(`${lost} of ${sum('sent')} messages were not answered`);
  return sum('good');
}

async function runOpenLoop(plan) {
  const running = promisify(execFile)(process.execPath, [openLoop]);
  running.child.stdin.end(JSON.stringify(plan));
  return JSON.parse((await running).stdout);
}

/** Reads streams on every node in turn; with `elsewhere`, also reads each on the next node. */
async function readStreams({ nodes, path, tokens }, elsewhere) {
  const readers = [];
  const count = streams * nodes.length;
  for (let at = 0; at < count; at++) {
    const own = await open({ origin: nodes[at % nodes.length].origin, path, tokens }, `pace ${eventsPerStream}`, at);
    readers.push(own.done);
    if (!elsewhere) continue;
    let id;
    while (!id) {
      id = /"id":"([0-9a-f-]{36})"/.exec(own.arrivals.map(({ text }) => text).join(''))?.[1];
      if (!id) await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const bodyOf = () => ({ jsonrpc: '2.0', id: at, method: 'tasks/resubscribe', params: { id } });
    const far = await open({ origin: nodes[(at + 1) % nodes.length].origin, path, tokens, bodyOf }, '', at);
    readers.push(far.done);
  }
  await Promise.all(readers);
  return count * eventsPerStream;
}

async function measure({ setup, idle }, name, work) {
  const results = [];
  for (let round = 0; round < rounds; round++) {
    const found = await cpuOf(setup, work);
    const net = (part) => Math.max(0, found[part] - (idle[part] / idle.elapsed) * found.elapsed);
    const perUnit = (part) => Math.round(net(part) / found.count);
    const parts = { cpu: perUnit('nodes'), PostgreSQL: perUnit('database'), NATS: perUnit('nats') };
    results.push({ work: name, ...parts, 'per second': Math.round(found.count / found.elapsed) });
  }
  results.sort((a, b) => totalOf(a) - totalOf(b));
  return results[Math.floor(rounds / 2)];
}

const totalOf = ({ cpu, PostgreSQL, NATS }) => cpu + PostgreSQL + NATS;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function run(carrier, env) {
  const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${unary.info.port}`, env });
  const rows = [];
  try {
    const postmasters = [await findPostmaster(parley.databaseUrl)];
    const slug = await parley.list(`http://127.0.0.1:${streaming.info.port}`);
    const calls = { path: `/agents/${parley.slug}/a2a/jsonrpc`, tokens: await parley.tokens() };
    const reads = { path: `/agents/${slug}/a2a/jsonrpc`, tokens: await parley.tokens(slug) };
    const nodes = [{ pid: parley.pid, origin: parley.origin, calls }];
    let warm = 0;
    for (const count of nodeCounts) {
      while (nodes.length < count) nodes.push({ ...(await parley.another()), calls });
      const setup = { nodes, postmasters };
      await warmUp(nodes.slice(warm));
      warm = count;
      const idle = await cpuOf(setup, () => pause(seconds * 1_000));
      const idleShare = `${((idle.nodes / idle.elapsed / count / 1e6) * 100).toFixed(1)} %`;
      const add = (row) => {
        rows.push({ carrier, nodes: count, ...row, 'an idle node': idleShare });
        console.log(JSON.stringify(rows.at(-1)));
      };
      add(await measure({ setup, idle }, 'message', () => sendUnary(nodes)));
      add(await measure({ setup, idle }, 'event, read where it runs', () => readStreams({ nodes, ...reads }, false)));
      if (count > 1)
        add(await measure({ setup, idle }, 'event, also read elsewhere', () => readStreams({ nodes, ...reads }, true)));
    }
    return rows;
  } finally {
    await parley.stop();
  }
}

/** Until the code is optimized, on each node. */
async function warmUp(nodes) {
  for (const { origin, calls } of nodes) await runOpenLoop({ origin, ...calls, closed: 16, seconds: warmUpSeconds });
  await pause(3_000);
}

/** Sends messages to n installations of one node each, which share only the machine. */
async function runSeparate() {
  const installations = [];
  const separate = { nodes: [], postmasters: [] };
  const rows = [];
  try {
    for (const count of nodeCounts) {
      const added = [];
      while (installations.length < count) {
        const parley = await startParley({ people, agentUrl: `http://127.0.0.1:${unary.info.port}` });
        installations.push(parley);
        const calls = { path: `/agents/${parley.slug}/a2a/jsonrpc`, tokens: await parley.tokens() };
        separate.nodes.push({ pid: parley.pid, origin: parley.origin, calls });
        separate.postmasters.push(await findPostmaster(parley.databaseUrl));
        added.push(separate.nodes.at(-1));
      }
      await warmUp(added);
      const idle = await cpuOf(separate, () => pause(seconds * 1_000));
      const row = await measure({ setup: separate, idle }, 'message', () => sendUnary(separate.nodes));
      rows.push({ carrier: 'separate', nodes: count, ...row });
      console.log(JSON.stringify(rows.at(-1)));
    }
    return rows;
  } finally {
    for (const { stop } of installations) await stop();
  }
}

/** Returns the CPU of all parts on n nodes relative to one node, for messages. */
function ratioOf(rows, carrier, count) {
  const costs = [1, count].map((nodes) => {
    const row = rows.find((each) => each.carrier === carrier && each.work === 'message' && each.nodes === nodes);
    return totalOf(row);
  });
  return costs[1] / costs[0];
}

try {
  const rows = [
    ...(await runSeparate()),
    ...(await run('NOTIFY', {})),
    ...(await run('NATS', { NOTICES_URL: `nats://127.0.0.1:${natsPort}` })),
  ];
  console.log(`\nµs of CPU per message or event, ${perSecond} messages or ${streams * 50} events a second and node`);
  console.table(rows);
  saveResults('nodes', rows);
  let met = true;
  for (const carrier of ['NOTIFY', 'NATS']) {
    for (const count of nodeCounts.slice(1)) {
      const ratio = ratioOf(rows, carrier, count);
      met &&= ratio <= goal;
      const shared = ratioOf(rows, 'separate', count);
      console.log(`${carrier}, ${count} nodes: ${ratio.toFixed(2)} times the CPU of one (goal <= ${goal})`);
      console.log(`  ${count} separate installations: ${shared.toFixed(2)}; the rest: ${(ratio / shared).toFixed(2)}`);
    }
    const messages = rows.filter((row) => row.carrier === carrier && row.work === 'message');
    const limits = messages.map(({ nodes, PostgreSQL }) => `${nodes}: ${Math.round(1e6 / PostgreSQL)}`);
    console.log(
      `${carrier}: one core of PostgreSQL carries this many messages a second, by nodes: ${limits.join(', ')}`,
    );
  }
  process.exitCode = met ? 0 : 1;
} finally {
  nats.kill('SIGKILL');
  for (const { stop } of [unary, streaming]) await stop();
}
