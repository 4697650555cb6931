import type pg from 'pg';
import { MAX_COPIED_ROWS } from '../../limits';
import { isUniqueViolation } from '../db';
import { ownerTables } from './owner-rows';

/** The rows of a principal in two databases. `to` is in a transaction that no other writer of these rows can see. */
export interface RowCopy {
  principal: string;
  from: pg.Client;
  to: pg.Client;
}

type OwnerTable = (typeof ownerTables)[number];

/** The result of one pass. */
interface CopiedRows {
  /** Rows that were inserted or updated. */
  changed: number;
  /** Pass it to the next pass, which then copies only the changes since this one. */
  snapshot: string;
}

/**
 * Makes the rows of `to` equal to those of `from` at one point in time. Compares a hash of each row that it copies, and
 * the number of rows of each table.
 * @param pass `since`: the snapshot of the previous pass; null for the first one. `timeoutMs`: of each statement in `from`
 * @throws if the rows differ afterwards
 */
export async function copyOwner(
  copy: RowCopy,
  { since, timeoutMs = 0 }: { since: string | null; timeoutMs?: number },
): Promise<CopiedRows> {
  const { from } = copy;
  await from.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  try {
    await from.query(`SET LOCAL statement_timeout = ${timeoutMs}`);
    // Of a transaction that is visible now, no row has to be copied again if its id is lower.
    const text = `SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::numeric % 4294967296)::text AS snapshot`;
    const [{ snapshot } = { snapshot: '' }] = (await from.query<{ snapshot: string }>(text)).rows;
    const changed = await copyChanged(copy, since);
    await removeDeleted(copy);
    return { changed, snapshot };
  } finally {
    await from.query('COMMIT');
  }
}

/** Copies the rows that have changed since a snapshot; all rows without one. Returns their number. */
async function copyChanged(copy: RowCopy, since: string | null): Promise<number> {
  const { from, principal } = copy;
  const columns = await columnsOf(from);
  const changed = since === null ? '' : `AND age(t.xmin) <= age($2::xid)`;
  // One cursor for all tables, in their order, because a round trip for each would prolong the pause of a move.
  const selects = ownerTables.map(
    ({ table, condition }) =>
      `SELECT '${table}' AS "table", row_to_json(t)::text AS row, ${hashSql(columns.get(table))} AS hash
       FROM ${table} t WHERE ${condition} ${changed}`,
  );
  const values = since === null ? [principal] : [principal, since];
  await from.query(`DECLARE copied NO SCROLL CURSOR FOR ${selects.join(' UNION ALL ')}`, values);
  let count = 0;
  for (;;) {
    const { rows } = await from.query<SourceRow>(`FETCH ${MAX_COPIED_ROWS} FROM copied`);
    for (const table of ownerTables) {
      const ofTable = rows.filter((row) => row.table === table.table);
      if (ofTable.length > 0) await insertRows(copy, { table, columns: columns.get(table.table), rows: ofTable });
    }
    count += rows.length;
    if (rows.length < MAX_COPIED_ROWS) break;
  }
  await from.query('CLOSE copied');
  return count;
}

interface SourceRow {
  table: string;
  row: string;
  hash: string;
}

/** The columns of a table in alphabetical order, and those of its primary key. */
interface TableColumns {
  all: string[];
  key: string[];
}

interface Batch {
  table: OwnerTable;
  columns: TableColumns;
  rows: SourceRow[];
}

/** Inserts or updates a batch. */
async function insertRows(copy: RowCopy, batch: Batch): Promise<void> {
  const { to } = copy;
  await to.query('SAVEPOINT batch');
  try {
    await upsert(to, batch);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // A row that was deleted in the source since the last pass has the same unique value.
    await to.query('ROLLBACK TO SAVEPOINT batch');
    await deleteMissing(copy, batch.table);
    await upsert(to, batch);
  }
  await to.query('RELEASE SAVEPOINT batch');
}

async function upsert(to: pg.Client, { table: { table }, columns, rows }: Batch): Promise<void> {
  const names = columns.all.map((name) => `"${name}"`);
  const written = await to.query<{ hash: string }>(
    `INSERT INTO ${table} AS t (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)
     ON CONFLICT ON CONSTRAINT ${table}_pkey DO UPDATE SET ${names.map((name) => `${name} = EXCLUDED.${name}`)}
     RETURNING ${hashSql(columns)} AS hash`,
    [`[${rows.map(({ row }) => row).join()}]`],
  );
  const hashesOf = (all: { hash: string }[]): string =>
    all
      .map(({ hash }) => hash)
      .sort()
      .join();
  if (hashesOf(written.rows) !== hashesOf(rows))
    throw new Error(`${table}: the copied rows differ from their originals`);
}

/** Returns SQL for the hash of the row `t`, which is equal in databases whose columns have another order. */
function hashSql({ all }: TableColumns): string {
  return `hashtextextended(ROW(${all.map((name) => `t."${name}"`)})::text, 0)::text`;
}

/** Returns the columns of each table of owners. */
async function columnsOf(client: pg.Client): Promise<{ get: (table: string) => TableColumns }> {
  const { rows } = await client.query<{ table: string; all: string[]; key: string[] }>({
    name: 'columns-of-owner-tables',
    text: `SELECT a.attrelid::regclass::text AS "table", array_agg(a.attname::text ORDER BY a.attname) AS "all",
        array_agg(a.attname::text ORDER BY a.attname) FILTER (WHERE a.attnum = ANY(i.indkey)) AS key
      FROM pg_attribute a JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
      WHERE a.attrelid = ANY($1::regclass[]) AND a.attnum > 0 AND NOT a.attisdropped GROUP BY a.attrelid`,
    values: [ownerTables.map(({ table }) => table)],
  });
  const known = new Map(rows.map(({ table, all, key }) => [table, { all, key }]));
  const get = (table: string): TableColumns => {
    const columns = known.get(table);
    if (!columns) throw new Error(`found no table ${table}`);
    return columns;
  };
  return { get };
}

/** Removes the rows that are not in the source any more. */
async function removeDeleted(copy: RowCopy): Promise<void> {
  const tables = await tablesWithOtherCounts(copy);
  for (const table of tables.toReversed()) await deleteMissing(copy, table);
  const different = tables.length > 0 ? await tablesWithOtherCounts(copy) : [];
  if (different.length === 0) return;
  throw new Error(`the number of rows differs after the copy: ${different.map(({ table }) => table).join(', ')}`);
}

async function tablesWithOtherCounts({ from, to, principal }: RowCopy): Promise<OwnerTable[]> {
  const text = `SELECT ${ownerTables.map(({ table, condition }) => `(SELECT count(*) FROM ${table} WHERE ${condition}) AS ${table}`)}`;
  const count = async (client: pg.Client): Promise<Record<string, number>> =>
    (await client.query<Record<string, number>>(text, [principal])).rows[0] ?? {};
  const [source, target] = await Promise.all([count(from), count(to)]);
  return ownerTables.filter(({ table }) => Number(source[table]) !== Number(target[table]));
}

async function deleteMissing({ from, to, principal }: RowCopy, { table, condition }: OwnerTable): Promise<void> {
  const { key } = (await columnsOf(from)).get(table);
  const text = `SELECT ROW(${key.map((name) => `"${name}"`)})::text AS key FROM ${table} WHERE ${condition}`;
  const keysIn = async (client: pg.Client): Promise<string[]> =>
    (await client.query<{ key: string }>(text, [principal])).rows.map((row) => row.key);
  const [existing, copied] = await Promise.all([keysIn(from), keysIn(to)]);
  const known = new Set(existing);
  const missing = copied.filter((each) => !known.has(each));
  const matches = `ROW(${key.map((name) => `"${name}"`)})::text = ANY($2)`;
  await to.query(`DELETE FROM ${table} WHERE ${condition} AND ${matches}`, [principal, missing]);
}
