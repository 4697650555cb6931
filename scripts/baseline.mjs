// Release 0.2.0 replaced the migrations of 0.1.0 by one, 0001_init, that creates the same schema.
import { CliError } from './cli-output.mjs';
import { lockOlderNodesOut, requireNoOlderNode } from './live-nodes.mjs';

const BASELINE = '0001_init';
/** The first release with the baseline. */
const RELEASE = '0.2.0';
/** The checksum of the migration of this name in 0.1.0. */
const REPLACED_CHECKSUM = '75f101d74ff7a237bc9087f1ba3c1c73d872bfc2407ed62fcad9f33f58fa9d97';
/** The last migration of 0.1.0. */
const LAST_REPLACED = '0092_approval_content';
/** Logs that 0.1.0 retained from before it partitioned them, until a job had moved their rows. */
const UNPARTITIONED = ['agent_call', 'task_http_exchange'];

const NODES = {
  oldest: RELEASE,
  advice: `release ${RELEASE} replaces the migrations of earlier releases; stop all nodes, then run this again`,
};

/**
 * Records the baseline in a database of release 0.1.0, in place of the migrations that it replaces. Does nothing in any
 * other database. The first record keeps its id, which identifies the database to its nodes.
 *
 * @param {import('pg').Client} client with the migration lock
 * @param {{ name: string, checksum: string }[]} migrations those of this release
 * @param {(line: string) => void} print
 * @returns {Promise<void>}
 * @throws {CliError} if a release before 0.1.0 last migrated the database, or a node of such a release is running
 */
export async function adoptBaseline(client, migrations, print) {
  const baseline = migrations.find(({ name }) => name === BASELINE);
  const replaced = await lastReplaced(client);
  if (!baseline || replaced === null) return;
  if (replaced !== LAST_REPLACED) {
    throw new CliError(
      `found the migration ${replaced} as the last of this database; expected ${LAST_REPLACED}. ` +
        `Migrate it with release 0.1.0 first, then with ${RELEASE} (docs/operations/upgrades.md)`,
    );
  }
  await requireNoOlderNode(client, { ...NODES, print });
  await client.query('BEGIN');
  try {
    await lockOlderNodesOut(client, NODES);
    for (const log of UNPARTITIONED) await moveRows(client, log);
    await client.query('DELETE FROM _prisma_migrations WHERE migration_name <> $1', [BASELINE]);
    await client.query('UPDATE _prisma_migrations SET checksum = $2 WHERE migration_name = $1', [
      BASELINE,
      baseline.checksum,
    ]);
    await client.query('DELETE FROM schema_change');
    await client.query('INSERT INTO schema_change VALUES ($1, $2, $2, now())', [BASELINE, RELEASE]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  print(`the migrations of release 0.1.0 are recorded as ${BASELINE}`);
}

/**
 * Returns the last of the migrations that the baseline replaces; null in a database that has the baseline or is empty.
 */
async function lastReplaced(client) {
  const { rows: tables } = await client.query("SELECT to_regclass('_prisma_migrations') AS name");
  if (tables[0].name === null) return null;
  const { rows } = await client.query(
    `SELECT max(migration_name) AS last, bool_or(migration_name = $1 AND checksum = $2) AS replaced
     FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    [BASELINE, REPLACED_CHECKSUM],
  );
  return rows[0].replaced ? rows[0].last : null;
}

/** Moves the rows that 0.1.0 left to a job. */
async function moveRows(client, log) {
  const { rows: tables } = await client.query('SELECT to_regclass($1) AS name', [`${log}_before`]);
  if (tables[0].name === null) return;
  await client.query(`INSERT INTO ${log} SELECT * FROM ${log}_before`);
  await client.query(`DROP TABLE ${log}_before`);
}
