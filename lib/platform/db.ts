import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from '../generated/prisma/client';
import { shared } from './registry';
import { pool } from './sql';

/** The client or a transaction of it; stores take this so that a verb decides what is one transaction. */
export type Db = PrismaClient | Prisma.TransactionClient;

/** The database client of this process. Only stores use it. */
export function db(): PrismaClient {
  return shared('prisma', () => new PrismaClient({ adapter: new PrismaPg(pool()) }));
}

/** True for Prisma's unique-constraint violation (P2002). */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'P2002' || error.code === '23505');
}
