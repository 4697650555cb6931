// R9: the disk of the database is full, the database is read-only, and a node has no file descriptors left. Needs root,
// for a small file system.
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { createCluster, damageIn, remove } from './lib/cluster.mjs';
import { drill } from './lib/drill.mjs';
import { countLost, startWriting } from './lib/writer.mjs';

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const OUTAGE_MS = 8_000;
const RECOVERY_MS = 30_000;
const folder = mkdtempSync(path.join(tmpdir(), 'parley-drill-'));
const disk = path.join(folder, 'disk');
mkdirSync(disk);
if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', disk]).status !== 0)
  throw new Error('expected root, which may mount a file system');
const cluster = await createCluster({ folder: disk, settings: ['max_wal_size = 64MB', 'shared_buffers = 64MB'] });
cluster.start();
await cluster.query('postgres', 'CREATE DATABASE parley');

const agent = await startPeer('unary-agent');
const agentUrl = `http://127.0.0.1:${agent.info.port}`;
const database = { url: cluster.url('parley'), stop: async () => undefined };
const parley = await startParley({ people: 8, agentUrl, database });
const tokens = await parley.tokens();
const apiPath = `/agents/${parley.slug}/a2a/jsonrpc`;
const statusOf = (url) =>
  fetch(`${parley.origin}${url}`).then(
    ({ status }) => status,
    () => 0,
  );

/** Writes into the last free block. */
function fillDisk() {
  const file = path.join(disk, 'filler');
  const target = openSync(file, 'w');
  try {
    for (const block of [Buffer.alloc(1 << 20), Buffer.alloc(1 << 12)]) {
      for (;;) {
        try {
          writeSync(target, block);
        } catch (error) {
          if (error.code !== 'ENOSPC') throw error;
          break;
        }
      }
    }
  } finally {
    closeSync(target);
  }
  return () => rmSync(file);
}

/** Injects a fault while messages are sent; reports what callers get, and how long recovery takes. */
async function during(name, inject, { figure, check }) {
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
  const unexpected = [...statuses.keys()].filter((status) => ![200, 429, 503, 507].includes(status));
  check(`${name}: writes get 200, 429, 503 or 507`, unexpected.length === 0 || `found ${unexpected.join(', ')}`);
  check(`${name}: reads are served`, reads === 200 || `found ${reads}`);
  check(`${name}: writes recover without a restart`, recoveredMs < RECOVERY_MS);
  const lost = await countLost(cluster.url('parley'), writer.acknowledged);
  check(`${name}: each acknowledged write is there`, lost === 0 || `${lost} are missing`);
}

async function makeReadOnly() {
  const set = (value) => cluster.query('postgres', `ALTER DATABASE parley ${value}`);
  const reconnect = () =>
    cluster.query('postgres', "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'parley'");
  await set('SET default_transaction_read_only = on');
  await reconnect();
  return async () => {
    await set('RESET default_transaction_read_only');
    await reconnect();
  };
}

/** Leaves the node 256 descriptors and occupies them with connections. */
async function exhaustDescriptors({ figure, check }) {
  const limit = (count) => spawnSync('prlimit', ['--pid', String(parley.pid), `--nofile=${count}:20000`]);
  if (limit(256).status !== 0) throw new Error('expected prlimit');
  const port = Number(new URL(parley.origin).port);
  const sockets = Array.from({ length: 400 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await wait(3_000);
  figure(
    'descriptors: status of /healthz while 400 connections are open',
    await Promise.race([statusOf('/healthz'), wait(3_000).then(() => 'none')]),
  );
  for (const socket of sockets) socket.destroy();
  const endedAt = performance.now();
  while ((await statusOf('/readyz')) !== 200 && performance.now() - endedAt < RECOVERY_MS) await wait(50);
  const recoveredMs = performance.now() - endedAt;
  figure('descriptors: ready after its end, s', (recoveredMs / 1_000).toFixed(1));
  check('descriptors: the node survives and recovers with the same limit', recoveredMs < RECOVERY_MS);
  limit(20_000);
}

await drill('A full disk, a read-only database and exhausted descriptors damage nothing', async (report) => {
  await during('full disk', fillDisk, report);
  await during('read-only', makeReadOnly, report);
  await exhaustDescriptors(report);
  const damage = damageIn(path.join(cluster.data, 'server.log'));
  report.figure('lines of damage in the log of the database', damage.length === 0 ? 0 : damage.slice(0, 3).join(' | '));
  report.check('the database opens again', await cluster.query('parley', 'SELECT true AS is').then(([{ is }]) => is));
});
for (const { stop } of [parley, agent, cluster]) await stop();
spawnSync('umount', [disk]);
remove(folder);
