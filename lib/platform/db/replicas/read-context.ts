import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { PrismaClient } from '../../../generated/prisma/client';

/** A server that answers read statements in place of the primary. */
export interface ReadTarget {
  pool: pg.Pool;
  query(config: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Runs the first function, or the second one if the server fails or rejects a statement. */
  orAtPrimary<T>(work: () => Promise<T>, atPrimary: () => Promise<T>): Promise<T>;
  prisma(): PrismaClient;
}

/** The server that `readFromReplica` has chosen for the statements of its work. */
export interface ReadContext {
  /** Null for the primary. */
  target: ReadTarget | null;
  /** Number of changes of `target`, so that a choice that took longer than another one has no effect. */
  changes: number;
  /** True after the work has ended. Anything that it started in the background then reads from the primary. */
  isOver: boolean;
}

const storage = new AsyncLocalStorage<ReadContext | undefined>();

const counts = { replica: 0, primary: 0, repeated: 0 };

/**
 * Counts a statement within `readFromReplica` by the server that answered it. `repeated` means the primary, after the
 * statement failed at a replica.
 */
export function countRead(target: keyof typeof counts): void {
  counts[target] += 1;
}

/** Returns the counts of {@link countRead}. */
export function countReplicaReads(): Readonly<typeof counts> {
  return counts;
}

export function currentReadContext(): ReadContext | undefined {
  return storage.getStore();
}

export function runInReadContext<T>(context: ReadContext, work: () => T): T {
  return storage.run(context, work);
}

/** Returns the replica for the next read statement of the caller; null for the primary. */
export function readTarget(): ReadTarget | null {
  const context = storage.getStore();
  if (!context) return null;
  if (!context.target) countRead('primary');
  return context.target;
}

/** Directs the rest of the caller's reads to the primary, because the caller wrote, or because the replica failed. */
export function leaveReplica(): void {
  const context = storage.getStore();
  if (!context) return;
  context.target = null;
  context.changes += 1;
}

/**
 * Runs `work` with all reads at the primary, also within `readFromReplica`. For values that stay in a cache, which may
 * be invalidated before a replica has the change, and for data that never comes from a replica.
 */
export function readFromPrimary<T>(work: () => T): T {
  return storage.getStore() ? storage.run(undefined, work) : work();
}
