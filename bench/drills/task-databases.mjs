// A task database is stopped, frozen, read-only and full while the owners of two databases send messages to one node.
// Needs root, for a small file system.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { runShards, withClient } from '../lib/task-databases.mjs';
import { drill, rounds } from './lib/drill.mjs';
import { startOnSmallDisk } from './lib/small-disk.mjs';
import { wait } from './lib/wait.mjs';
import { countLost, startWriting } from './lib/writer.mjs';

const outageMs = 8_000;
const recoveryMs = 30_000;
const people = 16;

const { cluster, url: taskUrl, fillDisk, makeReadOnly, remove } = await startOnSmallDisk('owners');
const agent = await startPeer('unary-agent');
const parley = await startParley({
  people,
  agentUrl: `http://127.0.0.1:${agent.info.port}`,
  env: { TASK_DATABASE_URLS: `t1=${taskUrl}`, EMBEDDINGS: 'off' },
});
await runShards(parley.variables, 'add', 't1').ended;
// The second half of the owners.
await withClient(parley.databaseUrl, (client) =>
  client.query(
    `INSERT INTO task_owner (principal, database, assigned_at)
     SELECT id, CASE WHEN row_number() OVER (ORDER BY id) > $1 THEN 't1' ELSE 'main' END, now() FROM "user"
     ON CONFLICT (principal) DO UPDATE SET database = excluded.database`,
    [people / 2],
  ),
);
const tokens = await parley.tokens();
/** Slower than by default, because the limit of messages holds for all faults together. */
const pauseMs = 200;
const target = { origin: () => parley.origin, path: `/agents/${parley.slug}/a2a/jsonrpc`, pauseMs };

function stop() {
  cluster.stop('immediate');
  return () => cluster.start();
}

async function freeze() {
  const rows = await cluster.query('postgres', 'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()');
  const postmaster = Number(readFileSync(path.join(cluster.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const pids = [postmaster, ...rows.map(({ pid }) => pid)];
  const signal = (name) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended.
      }
    }
  };
  signal('SIGSTOP');
  return () => signal('SIGCONT');
}

const describe = (statuses) => JSON.stringify(Object.fromEntries(statuses));
const othersThan = (allowed, statuses) => [...statuses.keys()].filter((status) => !allowed.includes(status));

async function during(name, inject, { figure, check }) {
  const here = startWriting({ ...target, tokens: tokens.slice(0, people / 2) });
  const there = startWriting({ ...target, tokens: tokens.slice(people / 2) });
  await wait(2_000);
  const undo = await inject();
  for (const { statuses } of [here, there]) statuses.clear();
  const before = here.acknowledged.length;
  await wait(outageMs);
  const [hereMet, thereMet] = [new Map(here.statuses), new Map(there.statuses)];
  const served = here.acknowledged.length - before;
  const ready = await fetch(`${parley.origin}/readyz`).then(({ status }) => status);
  await undo();
  const remaining = there.acknowledged.length;
  const endedAt = performance.now();
  while (there.acknowledged.length === remaining && performance.now() - endedAt < recoveryMs) await wait(20);
  const recoveredMs = performance.now() - endedAt;
  await Promise.all([here.stop(), there.stop()]);
  figure(`${name}: responses to its owners`, describe(thereMet));
  figure(`${name}: responses to other owners`, describe(hereMet));
  figure(`${name}: messages of other owners a second`, Math.round(served / (outageMs / 1_000)));
  figure(`${name}: first acknowledged write after its end, s`, (recoveredMs / 1_000).toFixed(1));
  const [unexpected, unserved] = [othersThan([200, 429, 503], thereMet), othersThan([200, 429], hereMet)];
  check(`${name}: its owners get 503`, unexpected.length === 0 || `found ${unexpected.join(', ')}`);
  check(`${name}: other owners are served`, (unserved.length === 0 && served > 0) || `found ${unserved.join(', ')}`);
  check(`${name}: the node stays ready`, ready === 200 || `found ${ready}`);
  check(`${name}: writes recover without a restart`, recoveredMs < recoveryMs);
  const lost =
    (await countLost(taskUrl, there.acknowledged)) + (await countLost(parley.databaseUrl, here.acknowledged));
  check(`${name}: each acknowledged write is there`, lost === 0 || `${lost} are missing`);
}

await drill('a task database that fails affects only its owners, and loses nothing', async (report) => {
  const count = rounds(1);
  for (let round = 1; round <= count; round++) {
    await during('stopped', stop, report);
    await during('frozen', freeze, report);
    await during('read-only', makeReadOnly, report);
    await during('full disk', fillDisk, report);
  }
});
for (const each of [parley, agent]) await each.stop();
await remove();
