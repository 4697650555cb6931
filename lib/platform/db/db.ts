import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { once } from '../runtime/once';
import { readTarget } from './replicas/read-context';
import { pool } from './sql';
import { MAIN_DATABASE, type TaskDatabase } from './task-databases/task-databases';

/**
 * The client or a transaction. Stores take it as a parameter, so that the caller defines the transaction's boundaries.
 */
export type Db = PrismaClient | Prisma.TransactionClient;

/** The Prisma client of the primary, for transactions. */
export const primaryDb = once((): PrismaClient => new PrismaClient({ adapter: new PrismaPg(pool()) }));

const clients = new Map<TaskDatabase, PrismaClient>();

/** Returns the Prisma client of a task database. */
export function prismaOf(database: TaskDatabase): PrismaClient {
  if (database.name === MAIN_DATABASE) return primaryDb();
  const client = clients.get(database) ?? new PrismaClient({ adapter: new PrismaPg(database.pool()) });
  clients.set(database, client);
  return client;
}

/**
 * Returns the Prisma client of this process, or, within `readFromReplica`, that of a replica, which repeats a rejected
 * write at the primary. Only stores use it.
 */
export function db(): PrismaClient {
  return readTarget()?.prisma() ?? primaryDb();
}

/**
 * Returns true for a unique violation reported by Prisma (P2002) or PostgreSQL (23505). With `constraint`, only for
 * that constraint and only for errors from PostgreSQL, which reports the name.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  if (constraint !== undefined) return 'constraint' in error && error.constraint === constraint;
  return error.code === 'P2002' || error.code === '23505';
}
