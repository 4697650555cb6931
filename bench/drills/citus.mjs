// The tables of owners are distributed by owner in a cluster of Citus with two workers, and a node serves on it. Needs
// PostgreSQL with Citus: CITUS_BIN is the folder of its programs, by default that of the system.
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildIndexes } from '../../scripts/concurrent-indexes.mjs';
import { migrate } from '../../scripts/migrate.mjs';
import { startParley } from '../lib/parley.mjs';
import { startPeer } from '../lib/peer.mjs';
import { call, message } from './lib/calls.mjs';
import { createCluster, remove, systemPostgres } from './lib/cluster.mjs';
import { drill, skipUnless } from './lib/drill.mjs';
import { importTypescript } from './lib/import-typescript.mjs';
import { wait } from './lib/wait.mjs';

const people = 6;
const binaries = process.env.CITUS_BIN ?? systemPostgres();
const hasCitus = binaries !== null && existsSync(path.join(binaries, '../lib/citus.so'));
skipUnless(hasCitus, 'Citus is not installed; set CITUS_BIN to the programs of a PostgreSQL that has it');

const { OWNER_COLUMNS } = await importTypescript('../lib/platform/db/task-databases/owner-rows');
const folder = mkdtempSync(path.join(tmpdir(), 'parley-citus-'));
const settings = ["shared_preload_libraries = 'citus'", "citus.node_conninfo = 'sslmode=disable'", 'fsync = off'];

async function startServer(name) {
  const server = await createCluster({ folder: path.join(folder, name), binaries, settings });
  server.start();
  await server.query('postgres', 'CREATE DATABASE parley');
  await server.query('parley', 'CREATE EXTENSION citus');
  return server;
}

const [coordinator, ...workers] = [await startServer('coordinator'), await startServer('one'), await startServer('two')];
const query = (text, values) => coordinator.query('parley', text, values);
const addressOf = (server) => [new URL(server.url('parley')).hostname, Number(new URL(server.url('parley')).port)];
const stop = async () => {
  for (const server of [coordinator, ...workers]) server.stop('immediate');
  remove(folder);
};

/** Distributes the tables of owners, those of one owner together. */
async function distribute() {
  await query('SELECT citus_set_coordinator_host($1, $2)', addressOf(coordinator));
  for (const worker of workers) await query('SELECT citus_add_node($1, $2)', addressOf(worker));
  for (const [table, column] of Object.entries(OWNER_COLUMNS)) {
    const together = table === 'task' ? 'shard_count => 8' : "colocate_with => 'task'";
    await query(`SELECT create_distributed_table('${table}', '${column}', ${together})`);
  }
}

/** Returns the statements that Citus rejected, with the reason. */
function rejected() {
  const log = readFileSync(path.join(coordinator.data, 'server.log'), 'utf8');
  return [...log.matchAll(/ERROR: {2}(.*)\n(?:.*(?:DETAIL|HINT|CONTEXT): .*\n)*.*STATEMENT: {2}\s*(.{0,90})/g)].map(
    ([, reason, statement]) => `${reason}: ${statement.trim()}`,
  );
}

await drill('The schema distributes by owner, and a node serves on the distributed tables', async ({ figure, check }) => {
  await migrate(coordinator.url('parley'));
  await buildIndexes(coordinator.url('parley'), { print: () => undefined });
  await distribute();
  const tables = await query(
    `SELECT table_name::text AS name, count(*)::int AS shards, count(DISTINCT nodeport)::int AS workers
     FROM citus_shards WHERE table_name::text = ANY($1) GROUP BY 1`,
    [Object.keys(OWNER_COLUMNS)],
  );
  check('every table of owners is distributed', tables.length === Object.keys(OWNER_COLUMNS).length);
  const groups = await query(
    "SELECT DISTINCT colocation_id FROM citus_tables WHERE citus_table_type = 'distributed' AND table_name::text = ANY($1)",
    [Object.keys(OWNER_COLUMNS)],
  );
  check('the rows of an owner are together', groups.length === 1 || `${groups.length} groups`);
  figure('tables', tables.length);
  figure('shards of each', tables[0].shards);

  const agent = await startPeer('slow-agent');
  const parley = await startParley({
    people,
    agentUrl: `http://127.0.0.1:${agent.info.port}`,
    database: { url: coordinator.url('parley'), stop },
    env: { EMBEDDINGS: 'off' },
  });
  try {
    const target = (token) => ({ origin: parley.origin, slug: parley.slug, token });
    const tokens = await parley.tokens();
    const send = (token, text, extra) => call(target(token), 'message/send', { message: message(text), ...extra });
    const told = (answer) => JSON.stringify(answer.body).slice(0, 300);

    const sent = await Promise.all(tokens.map((token) => send(token, 'Hello')));
    check('messages of several owners are answered', sent.every(({ body }) => body.result) || sent.map(told).join());
    const ids = sent.map(({ body }) => body.result?.id);
    const read = await Promise.all(tokens.map((token, at) => call(target(token), 'tasks/get', { id: ids[at] })));
    check('they are read back', read.every(({ body }, at) => body.result?.id === ids[at]) || read.map(told).join());
    const [first] = tokens;
    const other = await call(target(tokens[1]), 'tasks/get', { id: ids[0] });
    check('another owner does not read them', other.body.error !== undefined);
    const pushed = await call(target(first), 'tasks/pushNotificationConfig/set', {
      taskId: ids[0],
      pushNotificationConfig: { url: `http://127.0.0.1:${agent.info.port}/push` },
    });
    check('a push configuration is stored', pushed.body.result !== undefined || told(pushed));
    const waiting = await send(first, 'slow', { configuration: { blocking: false } });
    const canceled = await call(target(first), 'tasks/cancel', { id: waiting.body.result?.id });
    check('a task is canceled', canceled.body.result?.status?.state === 'canceled' || told(canceled));
    const [shown] = await query('SELECT count(DISTINCT principal)::int AS owners, count(*)::int AS tasks FROM task');
    figure('owners, tasks', `${shown.owners}, ${shown.tasks}`);
    const spread = await query(
      `SELECT count(DISTINCT s.nodeport)::int AS workers FROM (SELECT DISTINCT principal FROM task) t
       JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('task', t.principal)`,
    );
    check('the owners are on both workers', spread[0].workers === 2 || `${spread[0].workers} workers`);
    await wait(3_000);
    const reasons = [...new Set(rejected())];
    for (const reason of reasons) figure('rejected by Citus', reason);
  } finally {
    await agent.stop();
    await parley.stop();
  }
});
