// The tables of owners are distributed by owner in a cluster of Citus with two workers, and a node serves on it. Needs
// PostgreSQL with Citus: CITUS_BIN is the folder of its programs, by default that of the system.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
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
import { until } from './lib/wait.mjs';

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

const [coordinator, ...workers] = [
  await startServer('coordinator'),
  await startServer('one'),
  await startServer('two'),
];
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

const urlOf = (peer) => `http://127.0.0.1:${peer.info.port}`;
const shortOf = (answer) => JSON.stringify(answer.body).slice(0, 300);
const taskIdOf = ({ body }) => body.result?.taskId ?? body.result?.id;

/** Messages of several owners at once, which share commits, and their reads. */
async function checkOwners(parley, check) {
  const targets = (await parley.tokens()).map((token) => ({ origin: parley.origin, slug: parley.slug, token }));
  const sent = await Promise.all(targets.map((target) => call(target, 'message/send', { message: message('Hello') })));
  const ids = sent.map(taskIdOf);
  check('messages of several owners are answered', ids.every(Boolean) || sent.map(shortOf).join());
  const read = await Promise.all(targets.map((target, at) => call(target, 'tasks/get', { id: ids[at] })));
  check('they are read back', read.every(({ body }, at) => body.result?.id === ids[at]) || read.map(shortOf).join());
  const other = await call(targets[1], 'tasks/get', { id: ids[0] });
  check('another owner does not read them', other.body.error?.code === -32001 || shortOf(other));
}

/** A push configuration, a cancel, a stream and a conversation. */
async function checkFurther(parley, { agent, slug, check }) {
  const [token] = await parley.tokens();
  const target = { origin: parley.origin, slug: parley.slug, token };
  const waiting = await call(target, 'message/send', { message: message('slow'), configuration: { blocking: false } });
  const taskId = taskIdOf(waiting);
  const config = { taskId, pushNotificationConfig: { url: `${urlOf(agent)}/push` } };
  const pushed = await call(target, 'tasks/pushNotificationConfig/set', config);
  check('a push configuration is stored', pushed.body.result !== undefined || shortOf(pushed));
  const canceled = await call(target, 'tasks/cancel', { id: taskId });
  check('a task is canceled', canceled.body.result?.status?.state === 'canceled' || shortOf(canceled));
  const [streamToken] = await parley.tokens(slug);
  const streamed = await fetch(`${parley.origin}/agents/${slug}/a2a/jsonrpc`, {
    method: 'POST',
    headers: { authorization: `Bearer ${streamToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message: message('burst 20') } }),
  });
  const pieces = (await streamed.text()).split('artifact-update').length - 1;
  check('a stream has every event', pieces === 20 || `${pieces} of 20`);
  await checkConversation(parley, check);
}

async function checkConversation(parley, check) {
  const secret = randomBytes(32).toString('base64url');
  const hash = createHash('sha256').update(secret).digest('hex');
  await query(
    `INSERT INTO session (id, session_token, user_id, expires) SELECT 'ses_chat', $1, id, now() + '1 day' FROM "user" LIMIT 1`,
    [hash],
  );
  const headers = { cookie: `parley=${secret}`, origin: parley.origin, 'content-type': 'application/json' };
  const body = JSON.stringify({ messageId: randomUUID(), text: 'Hello', agentSlug: parley.slug });
  const started = await fetch(`${parley.origin}/api/chat/messages`, { method: 'POST', headers, body });
  const { conversationId, ...rest } = await started.json();
  const thread = async () =>
    (await fetch(`${parley.origin}/api/chat/conversations/${conversationId}`, { headers })).text();
  const isShown = await until(async () => (await thread()).includes('done'), {
    withinMs: 10_000,
    what: 'the answer',
  }).catch(() => 0);
  check('a conversation shows its answer', isShown > 0 || `${JSON.stringify(rest)} ${(await thread()).slice(0, 300)}`);
  const removed = await fetch(`${parley.origin}/api/chat/conversations/${conversationId}`, {
    method: 'DELETE',
    headers,
  });
  check('a conversation is deleted', removed.status === 204 || `${removed.status} ${await removed.text()}`);
}

await drill(
  'The schema distributes by owner, and a node serves on the distributed tables',
  async ({ figure, check }) => {
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

    const [agent, streaming] = [await startPeer('slow-agent'), await startPeer('streaming-agent')];
    const parley = await startParley({
      people,
      agentUrl: urlOf(agent),
      database: { url: coordinator.url('parley'), stop },
      env: { EMBEDDINGS: 'off', LOG_LEVEL: 'silent' },
    });
    try {
      await checkOwners(parley, check);
      await checkFurther(parley, { agent, slug: await parley.list(urlOf(streaming)), check });
      const [shown] = await query('SELECT count(DISTINCT principal)::int AS owners, count(*)::int AS tasks FROM task');
      figure('owners, tasks', `${shown.owners}, ${shown.tasks}`);
      const [spread] = await query(
        `SELECT count(DISTINCT s.nodeport)::int AS workers FROM (SELECT DISTINCT principal FROM task) t
       JOIN citus_shards s ON s.shardid = get_shard_id_for_distribution_column('task', t.principal)`,
      );
      check('the owners are on both workers', spread.workers === 2 || `${spread.workers} workers`);
      for (const reason of new Set(rejected())) figure('rejected by Citus', reason);
    } finally {
      await Promise.all([agent.stop(), streaming.stop()]);
      await parley.stop();
    }
  },
);
