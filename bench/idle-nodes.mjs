// Transactions per second of two idle nodes on their database, and the statements behind them, by PostgreSQL's own
// counters. Goal: less than two per node. Argument: duration of the measurement in seconds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.mjs';
import { startParley } from './lib/parley.mjs';

const seconds = Number(process.argv[2] ?? 130);
const nodes = 2;
const goal = 2;
/** By then the nodes have detected each other, and their embeddings have started. */
const settleMs = 45_000;
const shownStatements = 60;

const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-idle-'));

/** Starts a server that counts statements, which requires a restart. */
async function startDatabase() {
  const first = await startEmbeddedPostgres({ dataDir });
  const client = await connect(first.url);
  await client.query(`ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'`);
  await client.end();
  await first.stop();
  return startEmbeddedPostgres({ dataDir });
}

async function connect(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function countTransactions(client) {
  const { rows } = await client.query(
    'SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0].count;
}

async function listStatements(client) {
  const { rows } = await client.query(
    'SELECT calls::int, query FROM pg_stat_statements WHERE toplevel ORDER BY calls DESC LIMIT $1',
    [shownStatements],
  );
  return rows.map(
    ({ calls, query }) => `${(calls / seconds).toFixed(2)}/s  ${query.replace(/\s+/g, ' ').slice(0, 140)}`,
  );
}

const database = await startDatabase();
const parley = await startParley({ database });
await parley.another();
const client = await connect(parley.databaseUrl);
try {
  await client.query('CREATE EXTENSION pg_stat_statements');
  await sleep(settleMs);
  await client.query('SELECT pg_stat_statements_reset()');
  const before = await countTransactions(client);
  await sleep(seconds * 1_000);
  const statements = await listStatements(client);
  const perNode = ((await countTransactions(client)) - before) / seconds / nodes;
  console.log(statements.join('\n'));
  console.log(`${nodes} idle nodes: ${perNode.toFixed(2)} transactions a second each; goal < ${goal}`);
  process.exitCode = perNode < goal ? 0 : 1;
} finally {
  await client.end();
  await parley.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
