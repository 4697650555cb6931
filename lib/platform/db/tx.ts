import { Prisma, type PrismaClient } from '../../generated/prisma/client';
import { isCarriedByNats, notifyPayload, publishCommitted, type Topic } from '../bus';
import { DATABASE_ACQUIRE_TIMEOUT_MS, TRANSACTION_TIMEOUT_MS } from '../limits';
import { type Db, primaryDb, prismaOf } from './db';
import { leaveReplica } from './replicas/read-context';
import { executeIn } from './sql';
import { databaseOf, databaseWithin, type TaskDatabase } from './task-databases/task-databases';

/** A transaction that callers pass from store to store. */
export type Tx = Db;

/** A transaction in progress, and the work to do after it commits. */
interface FollowUps {
  client: PrismaClient;
  timeoutMs: number;
  work: (() => void)[];
  /** Notifications of this node. They are harmless if nothing was committed. */
  publications: (() => void)[];
}

const commits = new WeakMap<Tx, FollowUps>();

/** Runs `work` in one transaction, which is rolled back after `timeoutMs`. */
export function inTransaction<T>(work: (tx: Tx) => Promise<T>, timeoutMs = TRANSACTION_TIMEOUT_MS): Promise<T> {
  return runAt(primaryDb(), work, timeoutMs);
}

/** Like {@link inTransaction}, for changes of rows of this principal only. */
export async function inTransactionOf<T>(
  principal: string,
  work: (tx: Tx) => Promise<T>,
  timeoutMs = TRANSACTION_TIMEOUT_MS,
): Promise<T> {
  return runAt(prismaOf(await databaseOf(principal)), work, timeoutMs);
}

/** Like {@link inTransaction}, for periodic work in one task database. */
export function inTransactionAt<T>(
  database: TaskDatabase,
  work: (tx: Tx) => Promise<T>,
  timeoutMs = TRANSACTION_TIMEOUT_MS,
): Promise<T> {
  return runAt(prismaOf(database), work, timeoutMs);
}

/**
 * For `tx` of {@link inTransaction}: runs `work` on rows of this principal in `tx` itself if its database has them.
 * Otherwise runs it in a transaction of their database, which commits before `tx`; what it writes must then be
 * repeatable, because `tx` may fail. `work` must not insert the first rows of a principal.
 */
export async function withRowsOf<T>(tx: Tx, principal: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return joinAt(prismaOf(await databaseWithin(tx, principal)), tx, work);
}

/**
 * For `tx` of {@link inTransactionOf}: runs `work` on tables without owner in `tx` itself if its database has them.
 * Otherwise runs it in a transaction of the main database, which commits before `tx`.
 */
export function withMainRows<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  return joinAt(primaryDb(), tx, work);
}

function joinAt<T>(client: PrismaClient, tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const outer = followUpsOf(tx);
  return outer.client === client ? work(tx) : runAt(client, work, outer.timeoutMs);
}

async function runAt<T>(client: PrismaClient, work: (tx: Tx) => Promise<T>, timeoutMs: number): Promise<T> {
  const followUps: FollowUps = { client, timeoutMs, work: [], publications: [] };
  const timeouts = { maxWait: DATABASE_ACQUIRE_TIMEOUT_MS, timeout: timeoutMs };
  let isCommitSent = false;
  const publish = (): void => {
    for (const publication of followUps.publications) publication();
  };
  const committed = client.$transaction(async (tx) => {
    commits.set(tx, followUps);
    const result = await work(tx);
    isCommitSent = true;
    return result;
  }, timeouts);
  leaveReplica();
  const result = await committed.catch((error: unknown) => {
    // The commit may have succeeded although its response was lost. No cache may then keep what it changed.
    if (isCommitSent) publish();
    throw error;
  });
  publish();
  for (const followUp of followUps.work) followUp();
  return result;
}

/**
 * Runs `work` on this node after the transaction commits. `work` must not throw.
 * @throws if `tx` is not a transaction of {@link inTransaction}
 */
export function afterCommit(tx: Tx, work: () => void): void {
  followUpsOf(tx).work.push(work);
}

function followUpsOf(tx: Tx): FollowUps {
  const followUps = commits.get(tx);
  if (!followUps) throw new Error('Work after a commit was requested outside a transaction.');
  return followUps;
}

/**
 * Notifies the subscribers when the transaction commits: those on this node before {@link inTransaction} returns, so
 * that the next request on this node reads the change, and other nodes over NATS or by NOTIFY.
 */
export async function publishAtCommit(tx: Tx, topic: Topic, ...keys: string[]): Promise<void> {
  followUpsOf(tx).publications.push(() => {
    for (const key of keys) publishCommitted(topic, key);
  });
  if (!isCarriedByNats(topic)) await notify(tx, ...keys.map((key) => notifyPayload(topic, key)));
}

/** Sends notifications (see {@link notifyPayload}) when the transaction commits. */
async function notify(tx: Tx, ...payloads: string[]): Promise<void> {
  if (payloads.length === 0) return;
  await executeIn(tx, Prisma.sql`SELECT pg_notify('parley', payload) FROM unnest(${payloads}::text[]) AS payload`);
}

/** Serializes the transactions that lock the same name, from this call until they end. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await executeIn(tx, Prisma.sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/**
 * Locks a row against changes until the transaction ends. Later statements see its latest state; a row that was read
 * earlier may be outdated.
 */
export async function lockRow(tx: Tx, table: string, key: Record<string, string>): Promise<void> {
  await executeIn(tx, Prisma.sql`${selectOne(table, key)} FOR NO KEY UPDATE`);
}

/** Like {@link lockRow}; also blocks inserts of rows that reference the row, such as a new session of a user. */
export async function lockRowAndReferences(tx: Tx, table: string, key: Record<string, string>): Promise<void> {
  await executeIn(tx, Prisma.sql`${selectOne(table, key)} FOR UPDATE`);
}

function selectOne(table: string, key: Record<string, string>): Prisma.Sql {
  const conditions = Object.entries(key).map(([column, value]) => Prisma.sql`${Prisma.raw(`"${column}"`)} = ${value}`);
  return Prisma.sql`SELECT FROM ${Prisma.raw(`"${table}"`)} WHERE ${Prisma.join(conditions, ' AND ')}`;
}
