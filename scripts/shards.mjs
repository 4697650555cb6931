// The databases with the rows of owners: parley shards. See docs/decisions/0051-one-database-per-owner.md.
import { CliError } from './cli-output.mjs';
import { buildIndexes } from './concurrent-indexes.mjs';
import { connectTo, migrate } from './migrate.mjs';

const MAIN = 'main';

/** The tables that state the owner of a row, with the column. */
const OWNER_COLUMNS = {
  task: 'principal',
  context: 'principal',
  idempotency_key: 'principal',
  push_config: 'principal',
  chain: 'principal',
  conversation: 'user_id',
  openai_turn: 'user_id',
};

/** @typedef {{ name: string, url: string }} Database */

/**
 * Returns one line per database: its name, whether it accepts new owners, and the number of owners.
 *
 * @param {Database[]} databases the main database and those of TASK_DATABASE_URLS
 * @returns {Promise<string[]>}
 */
export async function describeShards(databases) {
  const main = await connectTo(urlOf(databases, MAIN));
  try {
    const { rows } =
      await main.query(`SELECT name, accepts_new, (SELECT count(*) FROM task_owner WHERE database = name) AS owners,
      (SELECT count(*) FROM task_move WHERE source = name AND deleted_at IS NULL) AS leaving
      FROM task_database ORDER BY name <> 'main', name`);
    const missing = databases.filter(({ name }) => !rows.some((row) => row.name === name));
    return [
      ...(await Promise.all(rows.map((row) => lineOf(row, databases)))),
      ...missing.map(({ name }) => `${name}: not added; parley shards add ${name}`),
    ];
  } finally {
    await main.end();
  }
}

async function lineOf({ name, accepts_new: acceptsNew, owners, leaving }, databases) {
  const found = databases.find((database) => database.name === name);
  const state = found ? await stateOf(found) : 'missing in TASK_DATABASE_URLS';
  const moves = Number(leaving) > 0 ? `; ${leaving} leaving` : '';
  return `${name}: ${owners} owners registered; ${acceptsNew ? 'accepts' : 'does not accept'} new ones; ${state}${moves}`;
}

async function stateOf({ url }) {
  try {
    const client = await connectTo(url);
    try {
      const { rows } = await client.query('SELECT pg_size_pretty(pg_database_size(current_database())) AS size');
      return rows[0].size;
    } finally {
      await client.end();
    }
  } catch {
    return 'unavailable';
  }
}

/**
 * Migrates a database, builds its indexes, and lets it accept new owners. Safe while nodes serve; may be repeated.
 *
 * @param {Database[]} databases
 * @param {string} name
 * @throws {CliError} if it is another's database, or a running node does not use it
 */
export async function addShard(databases, name) {
  const url = urlOf(databases, name);
  if (name !== MAIN) {
    await migrate(url);
    await buildIndexes(url, { print: () => undefined, nodesUrl: urlOf(databases, MAIN) });
  }
  const [main, added] = [await connectTo(urlOf(databases, MAIN)), await connectTo(url)];
  try {
    await requireOwnDatabase(main, { added, name });
    await requireAllNodes(main, { added, name });
    await registerOwners(main);
    await main.query(
      `INSERT INTO task_database (name, accepts_new, added_at) VALUES ($1, true, now())
       ON CONFLICT (name) DO UPDATE SET accepts_new = true`,
      [name],
    );
  } finally {
    await Promise.all([main.end(), added.end()]);
  }
}

/**
 * Lets a database accept no new owners. Those that it has stay.
 *
 * @param {Database[]} databases
 * @param {string} name
 * @throws {CliError} if no other database accepts them
 */
export async function closeShard(databases, name) {
  const main = await connectTo(urlOf(databases, MAIN));
  try {
    const { rowCount } = await main.query(
      `UPDATE task_database SET accepts_new = false WHERE name = $1
       AND EXISTS (SELECT FROM task_database WHERE accepts_new AND name <> $1)`,
      [name],
    );
    if (rowCount === 0) throw new CliError(`${name} is not added, or no other database accepts new owners`);
  } finally {
    await main.end();
  }
}

/**
 * Rejects a database that was not added, or to which a running node is not connected.
 *
 * @param {Database[]} databases
 * @param {string} name
 * @throws {CliError}
 */
export async function requireAdded(databases, name) {
  const [main, added] = [await connectTo(urlOf(databases, MAIN)), await connectTo(urlOf(databases, name))];
  try {
    const { rowCount } = await main.query('SELECT FROM task_database WHERE name = $1', [name]);
    if (rowCount === 0) throw new CliError(`${name} is not added; parley shards add ${name}`);
    await requireAllNodes(main, { added, name });
  } finally {
    await Promise.all([main.end(), added.end()]);
  }
}

function urlOf(databases, name) {
  const found = databases.find((database) => database.name === name);
  if (found) return found.url;
  throw new CliError(
    `${JSON.stringify(name)} is not in TASK_DATABASE_URLS; expected t1=postgresql://… t2=postgresql://…`,
  );
}

/** Rejects the database of another name, and rows that this installation did not write. */
async function requireOwnDatabase(main, { added, name }) {
  if (name === MAIN) return;
  const identity = `SELECT (SELECT system_identifier FROM pg_control_system()) || ' ' || oid AS id
    FROM pg_database WHERE datname = current_database()`;
  const [own, other] = await Promise.all([main.query(identity), added.query(identity)]);
  if (own.rows[0].id === other.rows[0].id) throw new CliError(`${name} is the database of DATABASE_URL`);
  const { rowCount: known } = await main.query('SELECT FROM task_database WHERE name = $1', [name]);
  const { rowCount: rows } = await added.query('SELECT FROM task LIMIT 1');
  if (known === 0 && rows > 0)
    throw new CliError(`${name} has tasks of another installation; expected an empty database`);
}

/** Rejects a database to which a running node is not connected: that node could not serve the owners. */
async function requireAllNodes(main, { added, name }) {
  // A node holds an advisory lock in each of its databases.
  const nodes = `SELECT DISTINCT a.application_name AS node FROM pg_stat_activity a
    JOIN pg_locks l ON l.pid = a.pid AND l.locktype = 'advisory' AND l.granted
    WHERE a.datname = current_database() AND a.application_name LIKE 'parley-%'`;
  const [all, connected] = await Promise.all([main.query(nodes), added.query(nodes)]);
  const missing = all.rows.filter(({ node }) => !connected.rows.some((row) => row.node === node));
  if (missing.length === 0) return;
  throw new CliError(
    `${missing.length} of ${all.rows.length} running nodes are not connected to ${name}; restart them with ${name} in TASK_DATABASE_URLS`,
  );
}

/** Registers the owners of the main database from before there were others. */
async function registerOwners(main) {
  const sources = Object.entries(OWNER_COLUMNS).map(([table, column]) => `SELECT ${column} AS principal FROM ${table}`);
  await main.query(`INSERT INTO task_owner (principal, database, assigned_at)
    SELECT principal, '${MAIN}', now() FROM (${sources.join(' UNION ')}) AS known ON CONFLICT (principal) DO NOTHING`);
}
