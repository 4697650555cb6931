// R9: the disk of the database is full, the database is read-only, and a node has no file descriptors left. Needs root,
// for a small file system.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { call, message } from './lib/calls.mjs';
import { damageIn } from './lib/cluster.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { respondAtOnce, startScriptedAgent } from './lib/scripted-agent.mjs';
import { startOnSmallDisk } from './lib/small-disk.mjs';
import { until, wait } from './lib/wait.mjs';
import { countLost, startWriting } from './lib/writer.mjs';

const OUTAGE_MS = 8_000;
const RECOVERY_MS = 30_000;
/** `ulimit -n 256` */
const maxDescriptors = 256;
/** Failures after which Parley pauses the calls to an agent. */
const callsToPause = 5;
const { cluster, url, fillDisk, makeReadOnly, remove } = await startOnSmallDisk('parley');

const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const database = { url, stop: async () => undefined };
const parley = await startParley({ people: 8, agentUrl, database });
const tokens = await parley.tokens();
const apiPath = `/agents/${parley.slug}/a2a/jsonrpc`;
/** Not called before its card was read: a call needs a new connection. */
const fresh = await startScriptedAgent({ name: 'Fresh', streaming: false, handle: respondAtOnce });
const freshSlug = await parley.list(fresh.url);
const freshTarget = { origin: parley.origin, slug: freshSlug, token: (await parley.tokens(freshSlug))[0] };
const callFresh = () => call(freshTarget, 'message/send', { message: message('hello') });
const statusOf = (url) =>
  fetch(`${parley.origin}${url}`).then(
    ({ status }) => status,
    () => 0,
  );

/**
 * Injects a fault while messages are sent; reports the callers' results and the recovery time. `refuses`: the fault may
 * refuse connections.
 */
async function during(name, { inject, refuses = false }, { figure, check }) {
  const writer = startWriting({ origin: () => parley.origin, path: apiPath, tokens });
  await wait(2_000);
  const undo = await inject();
  writer.statuses.clear();
  await wait(OUTAGE_MS);
  const statuses = new Map(writer.statuses);
  const reads = await statusOf('/api/agents');
  await undo();
  const before = writer.acknowledged.length;
  const endedAt = performance.now();
  while (writer.acknowledged.length === before && performance.now() - endedAt < RECOVERY_MS) await wait(20);
  const recoveredMs = performance.now() - endedAt;
  await writer.stop();
  figure(`${name}: responses by status`, JSON.stringify(Object.fromEntries(statuses)));
  figure(`${name}: first acknowledged write after its end, s`, (recoveredMs / 1_000).toFixed(1));
  const expected = [200, 429, 503, 507, ...(refuses ? [0] : [])];
  const unexpected = [...statuses.keys()].filter((status) => !expected.includes(status));
  check(
    `${name}: writes get one of ${expected.join(', ')}`,
    unexpected.length === 0 || `found ${unexpected.join(', ')}`,
  );
  check(
    `${name}: reads are served${refuses ? ' or refused' : ''}`,
    [200, expected[4]].includes(reads) || `found ${reads}`,
  );
  check(`${name}: writes recover without a restart`, recoveredMs < RECOVERY_MS);
  const lost = await countLost(url, writer.acknowledged);
  check(`${name}: each acknowledged write is there`, lost === 0 || `${lost} are missing`);
}

const descriptors = () => readdirSync(`/proc/${parley.pid}/fd`).length;

/** Leaves the node 256 descriptors and occupies all of them with connections. */
async function exhaustDescriptors(report) {
  const setLimit = (count) => spawnSync('prlimit', ['--pid', String(parley.pid), `--nofile=${count}:20000`]);
  if (setLimit(maxDescriptors).status !== 0) throw new Error('expected prlimit');
  const port = Number(new URL(parley.origin).port);
  const opened = { closed: 0 };
  const sockets = Array.from({ length: 2 * maxDescriptors }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .on('close', () => (opened.closed += 1)),
  );
  await until(() => descriptors() >= maxDescriptors, { withinMs: 5_000, what: 'the last descriptor to be used' });
  await until(() => opened.closed > 0, { withinMs: 5_000, what: 'a connection to be closed at once' });
  report.figure('descriptors: used', descriptors());
  report.figure('descriptors: connections closed at once', `${opened.closed} of ${sockets.length}`);
  fresh.intercept();
  const found = new Map();
  for (let calls = 0; calls < callsToPause + 1; calls++) {
    const { status, body } = await callFresh();
    const reason = body.error?.message ?? body.result?.status.message?.parts[0].text ?? 'served';
    found.set(`${status} ${reason}`, (found.get(`${status} ${reason}`) ?? 0) + 1);
  }
  for (const [text, count] of found) report.figure('descriptors: calls that need a connection', `${count} × ${text}`);
  return async () => {
    for (const socket of sockets) socket.destroy();
    await until(() => descriptors() < maxDescriptors / 2, { withinMs: 5_000, what: 'descriptors' });
    const { body } = await callFresh();
    const isServed = body.result?.status.state === 'completed';
    report.check('descriptors: the agent is not held responsible', isServed || JSON.stringify(body));
  };
}

await drill('A full disk, a read-only database and exhausted descriptors damage nothing', async (report) => {
  const count = rounds(1);
  for (let round = 1; round <= count; round++) {
    await during('full disk', { inject: fillDisk }, report);
    await during('read-only', { inject: makeReadOnly }, report);
    await during('descriptors', { inject: () => exhaustDescriptors(report), refuses: true }, report);
  }
  const damage = damageIn(path.join(cluster.data, 'server.log'));
  report.figure('lines of damage in the log of the database', damage.length === 0 ? 0 : damage.slice(0, 3).join(' | '));
  report.check('the database opens again', await cluster.query('parley', 'SELECT true AS is').then(([{ is }]) => is));
});
for (const { stop } of [parley, agent, fresh]) await stop();
await remove();
