// The replay of a replica stops and continues at random times while users write on one node and read on another.
// DRILL_ROUNDS is the number of pairs.
import { appendFileSync, cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../scripts/processes.mjs';
import { startParley } from '../lib/parley.mjs';
import { createCluster, remove } from './lib/cluster.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { importTypescript } from './lib/import-typescript.mjs';
import { until } from './lib/wait.mjs';

const people = 32;
const ports = [await freePort(), await freePort()];
const settings = ['wal_log_hints = on'];
const folder = mkdtempSync(path.join(tmpdir(), 'parley-drill-'));
const primary = await createCluster({ folder: path.join(folder, 'primary'), settings });
const standby = await createCluster({ folder: path.join(folder, 'standby'), settings });

/** Replaces the new cluster of the standby by a copy of the primary, from which it streams. */
function copyPrimary() {
  const configuration = readFileSync(path.join(standby.data, 'postgresql.conf'));
  remove(standby.data);
  cpSync(primary.data, standby.data, { recursive: true });
  writeFileSync(path.join(standby.data, 'postgresql.conf'), configuration);
  const { hostname, port, username } = new URL(primary.url('postgres'));
  const source = `host=${hostname} port=${port} user=${username}`;
  appendFileSync(path.join(standby.data, 'postgresql.conf'), `primary_conninfo = '${source}'\n`);
  writeFileSync(path.join(standby.data, 'standby.signal'), '');
  standby.adopt(standby.data);
}

copyPrimary();
primary.start();
standby.start();
const stop = async () => {
  standby.stop('immediate');
  primary.stop('immediate');
  remove(folder);
};
const parley = await startParley({
  people,
  database: { url: primary.url('postgres'), stop },
  env: { DATABASE_REPLICA_URL: standby.url('postgres'), EMBEDDINGS: 'off', METRICS_PORT: String(ports[0]) },
});
const other = await parley.another({ METRICS_PORT: String(ports[1]) });
const { writeThenReadPairs } = await importTypescript('support/replica-reads');

async function isUsable({ origin }) {
  const { replicas } = await (await fetch(`${origin}/readyz`)).json();
  return replicas?.[0]?.state === 'usable';
}

/** Returns the number of requests of both nodes that read the standby. */
async function countReads() {
  const counts = await Promise.all(
    ports.map(async (port) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^db_reads\{[^}]*target="replica"[^}]*\} (\d+)/m.exec(text)?.[1]);
    }),
  );
  return counts[0] + counts[1];
}

await drill('the replay of a replica stops: no user reads less than they wrote, on any node', async (report) => {
  const { figure, check } = report;
  for (const node of [parley, other])
    await until(() => isUsable(node), { withinMs: 60_000, what: 'the replica to be usable' });
  const before = await countReads();
  const startedAt = performance.now();
  const { done, stale } = await writeThenReadPairs({
    standbyUrl: standby.url('postgres'),
    nodes: [parley.origin, other.origin],
    accessTokens: parley.accessTokens,
    pairs: rounds(10_000),
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  figure('pairs', done);
  figure('pairs per second', Math.round(done / seconds));
  figure('reads at the replica', (await countReads()) - before);
  check('no read is stale', stale === 0 ? true : `${stale} of ${done} are`);
  for (const node of [parley, other])
    await until(() => isUsable(node), { withinMs: 60_000, what: 'the replica to be usable' });
  check('the replica is used at the end', true);
});
await parley.stop();
