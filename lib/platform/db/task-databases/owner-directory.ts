import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Prisma } from '../../../generated/prisma/client';
import { MAX_CACHED_OWNERS } from '../../limits';
import { once } from '../../runtime/once';
import { executeIn, pool } from '../sql';

/** The database of each principal that this node has looked up. A lookup in progress is a promise. */
const owners = once(() => new LRUCache<string, string | Promise<string>>({ max: MAX_CACHED_OWNERS }));

/**
 * Returns the name of the database with the rows of a principal. A principal without one is assigned to one of the
 * databases that accept new principals, and stays there.
 */
export function databaseNameOf(principal: string): string | Promise<string> {
  const known = owners().get(principal);
  if (known !== undefined) return known;
  const found = findOrAssign(principal);
  owners().set(principal, found);
  found.then(
    (name) => {
      if (owners().peek(principal) === found) owners().set(principal, name);
    },
    () => owners().delete(principal),
  );
  return found;
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
  const statement = Prisma.sql`SELECT database FROM task_owner WHERE principal = ${principal}`;
  const [found] = await tx.$queryRaw<{ database: string }[]>(statement);
  if (!found) return null;
  owners().set(principal, found.database);
  return found.database;
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

async function findOrAssign(principal: string): Promise<string> {
  const found = await find(principal);
  if (found !== null) return found;
  await assign(principal);
  // Another node may have assigned it first.
  const assigned = await find(principal);
  if (assigned === null) throw new Error('no task database accepts new principals');
  return assigned;
}

async function find(principal: string): Promise<string | null> {
  const text = 'SELECT database FROM task_owner WHERE principal = $1';
  const { rows } = await pool().query<{ database: string }>({ name: 'find-task-owner', text, values: [principal] });
  return rows[0]?.database ?? null;
}

async function assign(principal: string): Promise<void> {
  const { rows } = await pool().query<{ name: string }>('SELECT name FROM task_database WHERE accepts_new');
  const name = chooseDatabase(
    principal,
    rows.map((row) => row.name),
  );
  if (name === null) return;
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
