// Growth: rows that a message adds to the database, cost of periodic jobs, retention and VACUUM, and whether the
// statements of the message path stay fast. Fills the tables directly. Usage: node scripts/bench.mjs growth, or node
// bench/growth.mjs [messages]
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { buildIndexes } from '../scripts/concurrent-indexes.mjs';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.mjs';
import { migrate } from '../scripts/migrate.mjs';
import { addPastPartitions, fillAgents, fillTasks } from './lib/growth-fill.mjs';
import { growthLibrary } from './lib/growth-library.mjs';

const messages = Number(process.argv[2] ?? 1_000_000);
const EXTRAPOLATED = 100_000_000;
const DAY_MS = 86_400_000;
const TABLES = [
  'task',
  'compacted_task',
  'idempotency_key',
  'agent_call',
  'task_http_exchange',
  'agent_call_hour',
  'agent_task_day',
  'conversation',
];
/**
 * Earlier versions of the jobs: every ranking read its tasks, pruning counted the whole log, indexing read all
 * conversations.
 */
const BEFORE = {
  'rankings of 200 agents': `SELECT t.agent_id, count(DISTINCT coalesce(app.owner_id, t.principal)), count(*), count(*) FILTER (WHERE state = 'completed')
    FROM task t LEFT JOIN app ON app.id = t.principal WHERE t.agent_id = ANY(ARRAY(SELECT 'agt_' || n FROM generate_series(0, 199) n))
      AND t.created_at >= now() - interval '30 days' AND t.run_node IS NULL GROUP BY 1`,
  'prune the call log': 'SELECT agent_id FROM agent_call GROUP BY agent_id HAVING count(*) > 10000',
  'find a stale conversation': `SELECT id FROM conversation WHERE indexed_at IS NULL OR (indexed_at < updated_at + interval '65 minutes'
    AND updated_at + interval '65 minutes' < now()) LIMIT 1`,
};

/** The same work now. */
const NOW = {
  'rankings of 200 agents': `WITH fresh AS MATERIALIZED (SELECT agent_id, principal, count(*)::int AS calls, count(*) FILTER (WHERE state = 'completed')::int AS completed
      FROM task WHERE NOT compacted AND run_node IS NULL AND created_at >= now() - interval '30 days' GROUP BY 1, 2)
    SELECT n.agent_id, count(DISTINCT coalesce(app.owner_id, n.principal)), sum(calls), sum(completed) FROM (
      SELECT agent_id, principal, calls, completed FROM agent_task_day WHERE day > (now() - interval '30 days')::date UNION ALL SELECT * FROM fresh) n
      LEFT JOIN app ON app.id = n.principal WHERE n.agent_id = ANY(ARRAY(SELECT 'agt_' || n FROM generate_series(0, 199) n)) GROUP BY 1`,
  'find a stale conversation': `SELECT id FROM conversation WHERE deleted_at IS NULL AND (indexed_at IS NULL
      OR (indexed_at AT TIME ZONE 'UTC') < (updated_at AT TIME ZONE 'UTC') + interval '65 minutes')
    AND (indexed_at IS NULL OR updated_at < now() - interval '65 minutes') ORDER BY updated_at LIMIT 1`,
};

const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-growth-'));
const database = await startEmbeddedPostgres({ dataDir });
await migrate(database.url);
await buildIndexes(database.url);
const client = new pg.Client({ connectionString: database.url });
await client.connect();
const parley = await growthLibrary({
  NEXTAUTH_SECRET: randomBytes(32).toString('hex'),
  KEY_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
  DATABASE_URL: database.url,
  RETENTION_DAYS: 'tasks=29,sends=29',
});
parley.setRootSecret(randomBytes(32).toString('hex'));

try {
  await fillAgents(client);
  await addPastPartitions(client);
  let filled = 0;
  for (const size of [messages / 10, messages]) {
    await timed(`fill up to ${size} messages`, () => fillTasks(client, { from: filled, to: size }));
    filled = size;
    await timed('VACUUM (ANALYZE) after the fill', () => client.query('VACUUM (ANALYZE)'));
    await printJobs();
    await printStatements(size);
  }
  await printSizes();
  await printRetention();
} finally {
  await parley.closePipeline();
  await parley.closePool();
  await client.end();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

async function timed(what, work) {
  const startedAt = performance.now();
  const result = await work();
  console.log(`${what}: ${(performance.now() - startedAt).toFixed(0)} ms`);
  return result;
}

/** Returns the milliseconds and buffers of the second execution of a statement, with its pages in memory. */
async function explain(statement) {
  await client.query(statement);
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`);
  const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
  return `${ms.toFixed(1)} ms, ${plan['Shared Hit Blocks'] + plan['Shared Read Blocks']} buffers`;
}

async function printJobs() {
  for (const [name, statement] of Object.entries(BEFORE)) console.log(`before: ${name}: ${await explain(statement)}`);
  for (const [name, statement] of Object.entries(NOW)) console.log(`now: ${name}: ${await explain(statement)}`);
  const now = new Date();
  const jobs = {
    'prune the call log': () => parley.pruneAgentCalls(now),
    'compact finished tasks': () => parley.compactFinishedTasks(now),
    // A day earlier, no task exceeded the limit: this is the cost of a round without deletions.
    'delete tasks, keys and pushes': () => parley.deleteOutdated(new Date(now.getTime() - 2 * DAY_MS)),
    'erase deleted conversations': () => parley.eraseDeletedConversations(now),
    'index idle conversations': () => parley.indexIdleConversations(now),
    'poll interrupted tasks': () => parley.pollInterruptedTasks({ now, signal: new AbortController().signal }),
    'cancel runs of suspended agents': () =>
      parley.cancelRunsOfSuspendedAgents({ now, signal: new AbortController().signal }),
    'compute rankings that are due': () => parley.computeRankings(now),
    'run saved searches': () => parley.runSavedSearches(now),
    'prune rate limits': () => parley.pruneLimits(),
    'expire orders': () => parley.expireOrders(now),
    'prune payment events': () => parley.prunePayments(now),
    'prune transcripts': () => parley.deleteOldTranscripts(now),
  };
  for (const [name, job] of Object.entries(jobs)) {
    await timed(`now, first round: ${name}`, job);
    await timed(`now: ${name}`, job);
  }
}

async function printStatements(size) {
  const { rows } = await client.query(
    'SELECT id, principal, agent_id AS "agentId", context_id AS "contextId" FROM task TABLESAMPLE BERNOULLI ($1) LIMIT 300',
    [Math.min(100, 60_000 / size)],
  );
  const owner = ({ principal, agentId }) => ({ principal, agentId, delegation: null });
  const at = new Date();
  const timestamp = at.toISOString();
  const message = (id) => ({
    messageId: id,
    role: 'user',
    parts: [{ kind: 'text', text: 'Hello' }],
    taskId: id,
    contextId: id,
  });
  const started = [];
  await latencies('create a task', rows, async (row) => {
    const id = randomUUID();
    started.push(id);
    const events = [
      { type: 'message', message: message(id) },
      { type: 'status', status: { state: 'submitted', timestamp } },
    ];
    const ids = {
      id,
      contextId: id,
      principal: row.principal,
      agentId: row.agentId,
      credentialId: 'ses_1',
      clientId: 'browser',
    };
    const key = { key: id, bodyHash: 'h' };
    await parley.createTask({
      ...ids,
      opensContext: true,
      delegation: null,
      runNode: parley.nodeId(),
      events,
      idempotencyKey: key,
      idClaim: null,
      hubRun: null,
      at,
    });
  });
  await latencies('end a task', started, (taskId) =>
    parley.appendEvents({
      taskId,
      after: 2,
      events: [{ type: 'status', status: { state: 'completed', timestamp } }],
      runNode: null,
      at,
    }),
  );
  await latencies('find a task', rows, (row) => parley.findTask(owner(row), row.id));
  await latencies('read the events of a task', rows, ({ id }) => parley.readEvents(id, 0));
  await latencies('find the tasks of a context', rows, (row) => parley.findContextTasks(owner(row), row.contextId));
  await latencies('find an idempotency key', rows, (row) => parley.findIdempotencyKey(owner(row), row.id));
  await latencies('store an HTTP exchange', started, (id) =>
    parley.insertHttpExchange(id, { at: timestamp, request: {} }),
  );
  await latencies('list the HTTP exchanges of a task', rows, ({ id }) => parley.listHttpExchanges(id));
}

async function latencies(what, items, work) {
  const times = [];
  for (const item of items) {
    const startedAt = performance.now();
    await work(item);
    times.push(performance.now() - startedAt);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))].toFixed(2);
  console.log(`statement: ${what}: median ${at(0.5)} ms, p99 ${at(0.99)} ms (${times.length} runs)`);
}

async function printSizes() {
  const sizeOf = `SELECT coalesce(sum(pg_table_size(relid)), 0)::float8 AS heap, coalesce(sum(pg_indexes_size(relid)), 0)::float8 AS indexes
    FROM (SELECT relid FROM pg_partition_tree($1::regclass) WHERE isleaf UNION SELECT $1::regclass) parts`;
  let total = 0;
  for (const table of TABLES) {
    const { heap, indexes } = (await client.query(sizeOf, [table])).rows[0];
    total += heap + indexes;
    console.log(
      `size: ${table}: ${(heap / messages).toFixed(0)} bytes and ${(indexes / messages).toFixed(0)} bytes of indexes per message`,
    );
  }
  const gb = (total / messages) * EXTRAPOLATED * 1e-9;
  console.log(
    `size: ${(total / messages).toFixed(0)} bytes per message; ${EXTRAPOLATED / 1e6} million messages: ${gb.toFixed(0)} GB`,
  );
}

/** Deletes one day of each kind. */
async function printRetention() {
  const now = new Date();
  const cutoff = new Date(now.getTime() - 29 * DAY_MS);
  const day = `at >= now() - interval '6 days' AND at < now() - interval '5 days'`;
  await client.query('CREATE TABLE unpartitioned (LIKE agent_call INCLUDING ALL)');
  await client.query('INSERT INTO unpartitioned SELECT * FROM agent_call');
  const { rowCount } = await timed('retention: delete a day of calls, not partitioned', () =>
    client.query(`DELETE FROM unpartitioned WHERE ${day}`),
  );
  await timed(`retention: VACUUM after these ${rowCount} rows`, () => client.query('VACUUM unpartitioned'));
  const name = `agent_call_p${new Date(now.getTime() - 6 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;
  await timed('retention: drop a day of calls', () => client.query(`DROP TABLE ${name}`));
  for (const [what, work] of [
    ['tasks', parley.deleteOldTasks],
    ['idempotency keys', parley.deleteOldIdempotencyKeys],
  ]) {
    let count = 0;
    await timed(`retention: delete a day of ${what}`, async () => {
      for (let last = 500; last >= 500; count += last) last = await work(cutoff, 500);
    });
    console.log(`retention: ${count} ${what}`);
  }
  await timed('retention: VACUUM of tasks, events and keys', () =>
    client.query('VACUUM task, compacted_task, idempotency_key'),
  );
}
