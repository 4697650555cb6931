// What a migration does outside of its transaction: `backfill.sql`, which runs in batches before the new release serves,
// and `keys.sql`, which replaces keys while nodes serve. See docs/decisions/0034-expand-and-contract.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from './cli-output.mjs';
import { liveNodesBefore } from './live-nodes.mjs';
import { splitStatements } from './sql-statements.mjs';

/** Blocks of a table that one statement of a backfill examines: 8 MiB. */
const BLOCKS_PER_BATCH = 1_024;
const LOCK_NOT_AVAILABLE = '55P03';
const LOCK_ATTEMPTS = 30;
const LOCK_PAUSE_MS = 1_000;

const NAME = '("[^"]+"|[\\w$]+)';
const UPDATE = new RegExp(`^update ${NAME} r set .* where .*$`);
const DROP_TRIGGER = new RegExp(`^drop trigger ${NAME} on ${NAME}$`);
const DROP_CONSTRAINT = new RegExp(`^alter table ${NAME} drop constraint ${NAME}$`);
const REPLACE_KEY = new RegExp(
  `^alter table ${NAME} drop constraint ${NAME} , add constraint ${NAME} (primary key|unique) \\( (.*) \\)$`,
);

const unquote = (name) => name.replace(/^"(.*)"$/, '$1');

/**
 * Returns what is wrong with the statements of these files.
 *
 * @param {{ backfillSql?: string | null, keysSql?: string | null }} migration
 * @returns {string[]}
 */
export function problemsOfSteps({ backfillSql, keysSql }) {
  const unknown = (file, sql, patterns) =>
    splitStatements(sql ?? '')
      .filter(({ text }) => !patterns.some((pattern) => pattern.test(text)))
      .map(({ line, text }) => `${file}:${line}: "${text.slice(0, 60)}" is of a kind that the step does not know`);
  return [
    ...unknown('backfill.sql', backfillSql, [UPDATE]),
    ...unknown('keys.sql', keysSql, [DROP_TRIGGER, DROP_CONSTRAINT, REPLACE_KEY]),
  ];
}

/**
 * Runs the backfills that are not complete. Each statement changes the rows of some blocks at a time, so that no row is
 * locked for long; rows that are written meanwhile are not changed. May be killed and repeated.
 *
 * @param {import('pg').Client} client
 * @param {{ name: string, backfillSql: string | null }[]} migrations
 * @param {(line: string) => void} print
 */
export async function completeBackfills(client, migrations, print) {
  for (const { name, backfillSql } of await pendingBackfills(client, migrations)) {
    for (const { sql, text } of splitStatements(backfillSql)) await backfill(client, { sql, text, print });
    await client.query('UPDATE schema_change SET backfilled_at = now() WHERE migration = $1', [name]);
  }
}

/**
 * Returns the applied migrations whose backfill is not complete.
 *
 * @template {{ name: string, backfillSql: string | null }} Migration
 * @param {import('pg').Client} client
 * @param {Migration[]} migrations
 * @returns {Promise<Migration[]>}
 */
export async function pendingBackfills(client, migrations) {
  const wanted = migrations.filter(({ backfillSql }) => backfillSql);
  if (wanted.length === 0) return [];
  const { rows } = await client.query(
    'SELECT migration AS name FROM schema_change WHERE migration = ANY($1) AND backfilled_at IS NULL',
    [wanted.map(({ name }) => name)],
  );
  return wanted.filter(({ name }) => rows.some((row) => row.name === name));
}

async function backfill(client, { sql, text, print }) {
  const table = unquote(UPDATE.exec(text)[1]);
  const { rows } = await client.query(
    `SELECT max(pg_relation_size(relid) / current_setting('block_size')::int)::int AS blocks
     FROM (SELECT $1::regclass AS relid UNION SELECT relid FROM pg_partition_tree($1::regclass)) t`,
    [table],
  );
  const { blocks } = rows[0];
  let changed = 0;
  for (let from = 0; from < blocks; from += BLOCKS_PER_BATCH) {
    const range = `r.ctid >= '(${from},0)' AND r.ctid < '(${from + BLOCKS_PER_BATCH},0)'`;
    changed += (await client.query(`${sql} AND ${range}`)).rowCount;
  }
  if (changed > 0) print(`backfill of ${table}: ${changed} rows`);
}

/**
 * Returns the statements of keys.sql that are not done, as the catalog says.
 *
 * @param {import('pg').Client} client
 * @param {{ name: string, keysSql: string | null }[]} migrations that are applied
 * @returns {Promise<{ migration: string, name: string, sql: string, key: object | null }[]>}
 */
export async function pendingKeys(client, migrations) {
  const { rows } = await client.query(
    `SELECT 'trigger' AS kind, tgrelid::regclass::text AS "table", tgname::text AS name, '' AS columns FROM pg_trigger
     WHERE NOT tgisinternal AND tgparentid = 0
     UNION ALL SELECT 'constraint', conrelid::regclass::text, conname::text,
       (SELECT string_agg(a.attname, ' , ' ORDER BY k.at) FROM unnest(conkey) WITH ORDINALITY AS k(num, at)
        JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = k.num)
     FROM pg_constraint WHERE conrelid <> 0`,
  );
  const existing = new Map(rows.map(({ kind, table, name, columns }) => [`${kind} ${table} ${name}`, columns]));
  const steps = [];
  for (const { name: migration, keysSql } of migrations) {
    for (const { sql, text } of splitStatements(keysSql ?? '')) {
      const [, trigger, on] = DROP_TRIGGER.exec(text)?.map(unquote) ?? [];
      const [, table, constraint] = DROP_CONSTRAINT.exec(text)?.map(unquote) ?? [];
      const [, of, former, name, kind, columns] = REPLACE_KEY.exec(text)?.map(unquote) ?? [];
      if (trigger && existing.has(`trigger ${on} ${trigger}`)) steps.push({ migration, name: trigger, sql, key: null });
      if (table && existing.has(`constraint ${table} ${constraint}`))
        steps.push({ migration, name: constraint, sql, key: null });
      if (of && existing.get(`constraint ${of} ${name}`) !== columns.replaceAll('"', ''))
        steps.push({ migration, name, sql, key: { table: of, former, name, kind, columns } });
    }
  }
  return steps;
}

/**
 * Replaces keys while nodes serve: builds each one as an index of its own, and then exchanges the constraints under a
 * short lock. Does nothing while a node is alive that does not know the migration. May be killed and repeated.
 *
 * @param {import('pg').Client} client
 * @param {{ migrations: { name: string, keysSql: string | null }[], nodes: import('pg').Client, print: (line: string) => void }} options
 *   `nodes`: the database with the table of nodes
 * @returns {Promise<string[]>} the names of what was replaced or removed
 */
export async function replaceKeys(client, { migrations, nodes, print }) {
  const done = [];
  for (const { migration, name, sql, key } of await pendingKeys(client, migrations)) {
    const older = await liveNodesBefore(nodes, migration);
    if (older > 0) {
      print(`the keys of ${migration} are replaced when ${older} running nodes of an earlier release have stopped`);
      return done;
    }
    if (key) await replaceKey(client, key);
    else await inShortLock(client, sql);
    done.push(name);
  }
  if (done.length > 0) print(`keys replaced: ${done.join(', ')}`);
  return done;
}

async function replaceKey(client, key) {
  const { rows } = await client.query(
    `SELECT relid::regclass::text AS name FROM pg_partition_tree($1::regclass) WHERE isleaf AND relid <> $1::regclass`,
    [key.table],
  );
  if (rows.length > 0) return replacePartitionedKey(client, key, rows);
  const index = await buildKey(client, key);
  const { table, former, name, kind } = key;
  await inShortLock(
    client,
    `ALTER TABLE ${table} DROP CONSTRAINT ${former}, ADD CONSTRAINT ${name} ${kind} USING INDEX ${index}`,
  );
}

/** Builds the index of a key under a temporary name. */
async function buildKey(client, { table, name, columns }) {
  const index = `next_${name}`;
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  await client.query(`CREATE UNIQUE INDEX CONCURRENTLY ${index} ON ${table} (${columns})`);
  return index;
}

/** The partitions receive the key one after the other; the table has none meanwhile. */
async function replacePartitionedKey(client, { table, former, name, kind, columns }, partitions) {
  const built = [];
  for (const partition of partitions) {
    const own = { table: partition.name, name: `${partition.name}_pkey`, kind, columns };
    built.push({ ...own, index: await buildKey(client, own) });
  }
  await inShortLock(
    client,
    `ALTER TABLE ${table} DROP CONSTRAINT ${former};
     ALTER TABLE ONLY ${table} ADD CONSTRAINT ${name} ${kind} (${columns});
     ${built
       .map(
         (own) => `ALTER TABLE ${own.table} ADD CONSTRAINT ${own.name} ${kind} USING INDEX ${own.index};
     ALTER INDEX ${name} ATTACH PARTITION ${own.name};`,
       )
       .join('\n')}`,
  );
}

/** Runs statements in one transaction. Retries instead of blocking writers behind a long transaction. */
async function inShortLock(client, sql) {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '3s'; ${sql}; COMMIT`);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (error.code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS)
        throw new CliError(`"${sql.slice(0, 80)}" failed: ${error.message}; run the command again to continue`);
      await sleep(LOCK_PAUSE_MS + Math.random() * LOCK_PAUSE_MS);
    }
  }
}
