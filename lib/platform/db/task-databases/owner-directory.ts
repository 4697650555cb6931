import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { Prisma } from '../../../generated/prisma/client';
import { MAX_CACHED_OWNERS, OWNER_PAUSE_POLL_MS, OWNER_PAUSE_WAIT_MS } from '../../limits';
import { once } from '../../runtime/once';
import { ownerMovedError } from '../database-errors';
import { executeIn, pool } from '../sql';

/** The database of each principal that this node has looked up. A lookup in progress is a promise. */
const owners = once(() => new LRUCache<string, string | Promise<string>>({ max: MAX_CACHED_OWNERS }));

/**
 * Returns the name of the database with the rows of a principal. A principal without one is assigned to one of the
 * databases that accept new principals, and stays there until it is moved. Waits while the rows are switched to another
 * database.
 * @throws {ParleyError} `unavailable` if that takes too long
 */
export function databaseNameOf(principal: string): string | Promise<string> {
  const known = owners().get(principal);
  if (known !== undefined) return known;
  const found = findOrAssign(principal);
  owners().set(principal, found);
  found.then(
    (name) => {
      if (owners().peek(principal) !== found) return;
      if (receivesMoves()) owners().set(principal, name);
      else owners().delete(principal);
    },
    () => owners().delete(principal),
  );
  return found;
}

let receivesMoves = (): boolean => false;

/** Keeps principals in memory while `isCurrent` is true: this node is notified of moves ({@link forgetOwner}). */
export function cacheOwnersWhile(isCurrent: () => boolean): void {
  receivesMoves = isCurrent;
}

/** Must be called when a principal may have been moved. */
export function forgetOwner(principal: string): void {
  owners().delete(principal);
}

/** Must be called when notifications of moves may have been missed. */
export function forgetOwners(): void {
  owners().clear();
}

/**
 * Returns the name of the database with the rows of a principal; null for one without rows, which is not assigned. Uses
 * no connection except `tx`, a transaction of the main database.
 */
export async function findDatabaseName(
  tx: Pick<Prisma.TransactionClient, '$queryRaw'>,
  principal: string,
): Promise<string | null> {
  const known = owners().get(principal);
  // A lookup in progress may wait for a connection.
  if (typeof known === 'string') return known;
  const statement = Prisma.sql`SELECT o.database, m.paused_at IS NOT NULL AS "isPaused"
    FROM task_owner o LEFT JOIN task_move m ON m.principal = o.principal WHERE o.principal = ${principal}`;
  const [found] = await tx.$queryRaw<FoundOwner[]>(statement);
  if (found?.isPaused) throw ownerMovedError();
  return found?.database ?? null;
}

/** Returns the name of the database that the directory has for a principal; null for one without rows. */
export async function readDatabaseName(principal: string): Promise<string | null> {
  return (await find(principal))?.database ?? null;
}

/** Returns the principals with rows in a database. */
export async function listOwners(database: string): Promise<string[]> {
  const text = 'SELECT principal FROM task_owner WHERE database = $1 ORDER BY principal';
  const { rows } = await pool().query<{ principal: string }>(text, [database]);
  return rows.map(({ principal }) => principal);
}

/** Returns the names of the databases that accept new principals. */
export async function listOpenDatabases(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>('SELECT name FROM task_database WHERE accepts_new');
  return rows.map(({ name }) => name);
}

/** Removes principals whose rows were erased. */
export async function deleteOwners(
  tx: Pick<Prisma.TransactionClient, '$executeRaw'>,
  principals: string[],
): Promise<void> {
  await executeIn(tx, Prisma.sql`DELETE FROM task_owner WHERE principal = ANY(${principals})`);
}

/** Assigns a principal without rows to the database of another one. Does nothing if it is assigned. */
export async function assignSameDatabase(principal: string, other: string): Promise<void> {
  const text = `INSERT INTO task_owner (principal, database, assigned_at) SELECT $1, database, now() FROM task_owner
    WHERE principal = $2 ON CONFLICT (principal) DO NOTHING`;
  await pool().query({ name: 'assign-same-database', text, values: [principal, other] });
}

interface FoundOwner {
  database: string;
  /** True while neither database must be used. */
  isPaused: boolean;
}

async function findOrAssign(principal: string): Promise<string> {
  for (let waitedMs = 0; waitedMs <= OWNER_PAUSE_WAIT_MS; waitedMs += OWNER_PAUSE_POLL_MS) {
    const found = await find(principal);
    if (found === null) await assign(principal);
    else if (!found.isPaused) return found.database;
    else await sleep(OWNER_PAUSE_POLL_MS);
  }
  throw ownerMovedError();
}

async function find(principal: string): Promise<FoundOwner | null> {
  const text = `SELECT o.database, m.paused_at IS NOT NULL AS "isPaused"
    FROM task_owner o LEFT JOIN task_move m ON m.principal = o.principal WHERE o.principal = $1`;
  const { rows } = await pool().query<FoundOwner>({ name: 'find-task-owner', text, values: [principal] });
  return rows[0] ?? null;
}

async function assign(principal: string): Promise<void> {
  const name = chooseDatabase(principal, await listOpenDatabases());
  if (name === null) throw new Error('no task database accepts new principals');
  const text = `INSERT INTO task_owner (principal, database, assigned_at) VALUES ($1, $2, now())
    ON CONFLICT (principal) DO NOTHING`;
  await pool().query({ name: 'assign-task-owner', text, values: [principal, name] });
}

/**
 * Returns the database of a new principal: the one with the highest hash, so that an additional database changes the
 * choice only for the principals that it receives. Null without databases.
 */
export function chooseDatabase(principal: string, names: string[]): string | null {
  const scored = names.map((name) => ({
    name,
    score: createHash('sha256').update(`${name} ${principal}`).digest('hex'),
  }));
  scored.sort((a, b) => (a.score < b.score ? 1 : -1));
  return scored[0]?.name ?? null;
}
