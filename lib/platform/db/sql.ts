import pg from 'pg';
import type { Prisma } from '../../generated/prisma/client';
import { env } from '../runtime/env';
import { errorFields, log } from '../runtime/log';
import { once } from '../runtime/once';
import { connectionSettings, watchConnection } from './database-connection';
import { PrimaryClient } from './primary-client';
import { leaveReplica } from './replicas/read-context';

// Timestamps are Date, counts number: no bigint result exceeds 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The connection pool of this process, shared by Prisma and prepared statements. */
export const pool = once((): pg.Pool => {
  const made = new pg.Pool({ ...connectionSettings(), Client: PrimaryClient, max: env().DATABASE_POOL_SIZE });
  made.on('connect', (client) => watchConnection(client));
  made.on('error', (error) => log.warn('database.connection_lost', errorFields(error)));
  return made;
});

/**
 * Runs a prepared statement and returns the number of rows that it changed or returned. Each statement text requires
 * its own `name`. To read rows, see `rows.ts`.
 */
export async function execute(name: string, text: string, values: unknown[] = []): Promise<number> {
  const { rowCount } = await pool().query({ name, text, values });
  leaveReplica();
  return rowCount ?? 0;
}

/** Runs a statement in a transaction of Prisma and returns the number of rows that it changed or returned. */
export function executeIn(tx: Pick<Prisma.TransactionClient, '$executeRaw'>, statement: Prisma.Sql): Promise<number> {
  return tx.$executeRaw(statement);
}

/** Closes the pool; for shutdown. */
export async function closePool(): Promise<void> {
  await pool().end();
}

/** Names and SQL types of the columns of rows passed as parameters. */
export type Columns = Record<string, 'uuid' | 'text' | 'int' | 'timestamptz' | 'json'>;

type Value = string | number | null;

/**
 * Returns a SELECT of the rows that {@link encodeParams} passes as `$1` and the following parameters: several rows as
 * one array per column, a single row as plain values, which takes half the time in the database. The statements for one
 * row and for several need different names.
 */
export function selectUnnest(columns: Columns, many: boolean): string {
  const all = Object.entries(columns);
  if (!many) return `SELECT ${all.map(([name, type], at) => `$${at + 1}::${type} AS ${name}`)}`;
  const arrays = all.map(([, type], at) => (type === 'json' ? jsonLinesSql(at + 1) : `$${at + 1}::${type}[]`));
  return `SELECT * FROM unnest(${arrays}) AS r(${Object.keys(columns)})`;
}

/** Splits a parameter with one JSON text per line into an array; an empty line is NULL. */
function jsonLinesSql(parameter: number): string {
  return `string_to_array($${parameter}, chr(10), '')::json[]`;
}

/** Encodes rows, whose values are in column order, as parameters. JSON is passed as text. */
export function encodeParams(columns: Columns, rows: Value[][]): (string | null)[] {
  const types = Object.values(columns);
  const [first = [], ...others] = rows;
  if (others.length === 0) return first.map((value) => (typeof value === 'number' ? String(value) : value));
  return types.map((type, at) => {
    if (type === 'json') return rows.map((row) => row[at]).join('\n');
    const isText = type === 'text';
    let text = '{';
    for (const row of rows) {
      const value = row[at] ?? null;
      if (text.length > 1) text += ',';
      text += isText ? encodeElement(value) : (value ?? 'NULL');
    }
    return `${text}}`;
  });
}

/** Encodes a PostgreSQL array literal. Faster than the driver, which runs two regular expressions per value. */
export function encodeArray(values: (Value | boolean)[]): string {
  return `{${values.map(encodeElement)}}`;
}

function encodeElement(value: Value | boolean): string {
  if (typeof value !== 'string') return value === null ? 'NULL' : String(value);
  return `"${value.includes('"') || value.includes('\\') ? value.replace(/["\\]/g, '\\$&') : value}"`;
}
