import type { Prisma } from '../../generated/prisma/client';
import { type Db, db } from '../../platform/db/db';
import { newId } from '../../platform/ids';
import type { LedgerAccount, LedgerTransaction } from '../record';

/** The error if a balance would become negative. Thrown, so that the whole transaction is rolled back. */
export class InsufficientFundsError extends Error {
  override readonly name = 'NotCovered';
}

/** The kinds of accounts that may be negative. The others never are, which a constraint of the database ensures too. */
const OVERDRAWN_KINDS = ['outside', 'merchant', 'available'] as const satisfies LedgerAccount['kind'][];

interface AccountCurrency {
  currency: string;
  test: boolean;
}

/**
 * Posts a ledger transaction in the caller's database transaction. Returns false if its key is already posted. Accounts
 * are updated in a fixed order, so that concurrent transactions cannot deadlock.
 * @throws {InsufficientFundsError}
 */
export async function postTransaction(tx: Db, transaction: LedgerTransaction, at: Date): Promise<boolean> {
  const entries = transaction.entries
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => compare(a.account, b.account));
  if (entries.length === 0) return false;
  const { key, kind, orderId } = transaction;
  const id = newId('ltx');
  const data = { id, key, kind, orderId, at };
  const { count: inserted } = await tx.ledgerTransaction.createMany({ data, skipDuplicates: true });
  if (inserted === 0) return false;
  for (const { account, amount } of entries) {
    const accountId = await ensureAccount(tx, account, transaction);
    const { count: changed } = await tx.ledgerAccount.updateMany({
      where: { id: accountId, OR: [{ balance: { gte: -amount } }, { kind: { in: [...OVERDRAWN_KINDS] } }] },
      data: { balance: { increment: amount } },
    });
    if (changed === 0) throw new InsufficientFundsError(`${key}: the ${account.kind} account does not hold ${-amount}`);
    await tx.ledgerEntry.create({ data: { transactionId: id, accountId, amount } });
  }
  return true;
}

/** Returns the posted ledger transaction with this key, or null. */
export async function findTransaction(key: string, tx: Db = db()): Promise<LedgerTransaction | null> {
  const row = await tx.ledgerTransaction.findUnique({
    where: { key },
    include: { entries: { include: { account: true } } },
  });
  const first = row?.entries[0]?.account;
  if (!row || !first) return null;
  const entries = row.entries.map(({ account: { kind, owner }, amount }) => ({
    account: { kind: kind as LedgerAccount['kind'], owner },
    amount: Number(amount),
  }));
  const { kind, orderId } = row;
  const { currency, test } = first;
  return { key, kind: kind as LedgerTransaction['kind'], orderId, currency, test, entries };
}

function compare(a: LedgerAccount, b: LedgerAccount): number {
  const [left, right] = [`${a.kind} ${a.owner}`, `${b.kind} ${b.owner}`];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Returns the id of an account, which is created on first use. */
export async function ensureAccount(
  tx: Db,
  account: LedgerAccount,
  { currency, test }: AccountCurrency,
): Promise<string> {
  const { kind, owner } = account;
  const key = { kind, owner, currency, test };
  const found = await tx.ledgerAccount.findFirst({ where: key, select: { id: true } });
  if (found) return found.id;
  await tx.ledgerAccount.createMany({ data: { id: newId('lac'), ...key }, skipDuplicates: true });
  const created = await tx.ledgerAccount.findFirstOrThrow({ where: key, select: { id: true } });
  return created.id;
}

/** Returns a user's available and held amounts, per currency. */
export async function findBalances(
  owner: string,
  test: boolean,
  tx: Db = db(),
): Promise<{ currency: string; available: number; held: number }[]> {
  const rows = await tx.ledgerAccount.findMany({
    where: { owner, test, kind: { in: ['wallet', 'held'] } },
    orderBy: { currency: 'asc' },
  });
  const currencies = [...new Set(rows.map(({ currency }) => currency))];
  const sum = (currency: string, kind: string): number =>
    Number(rows.find((row) => row.currency === currency && row.kind === kind)?.balance ?? 0);
  return currencies.map((currency) => ({
    currency,
    available: sum(currency, 'wallet'),
    held: sum(currency, 'held'),
  }));
}

/** Returns the latest entries of a user's wallet. */
export async function findWalletEntries(
  owner: string,
  test: boolean,
  limit: number,
): Promise<{ id: string; kind: string; orderId: string | null; amount: number; currency: string; at: Date }[]> {
  const rows = await db().ledgerEntry.findMany({
    where: { account: { owner, test, kind: 'wallet' } },
    include: { transaction: true, account: { select: { currency: true } } },
    orderBy: [{ transaction: { at: 'desc' } }, { transactionId: 'desc' }],
    take: limit,
  });
  return rows.map(({ amount, transaction: { id, kind, orderId, at }, account: { currency } }) => ({
    id,
    kind,
    orderId,
    amount: Number(amount),
    currency,
    at,
  }));
}

/** A payment into a user's wallet; minor units. */
export interface TopUpRecord {
  id: string;
  userId: string;
  amount: number;
  currency: string;
  test: boolean;
  state: 'pending' | 'paid' | 'expired';
  sessionId: string | null;
  createdAt: Date;
}

function toTopUpRecord(row: Prisma.WalletTopUpGetPayload<object>): TopUpRecord {
  return { ...row, amount: Number(row.amount), state: row.state as TopUpRecord['state'] };
}

/** Stores a new top-up. */
export async function createTopUp(topUp: TopUpRecord, tx: Db = db()): Promise<void> {
  await tx.walletTopUp.create({ data: { ...topUp, updatedAt: topUp.createdAt } });
}

/** Finds a top-up of any user; null if it is unknown. For the outbox worker. */
export async function findTopUp(id: string): Promise<TopUpRecord | null> {
  const row = await db().walletTopUp.findUnique({ where: { id } });
  return row && toTopUpRecord(row);
}

/** Stores the Checkout Session of a top-up. */
export async function setTopUpSession(id: string, sessionId: string): Promise<void> {
  await db().walletTopUp.update({ where: { id }, data: { sessionId } });
}

/** Ends a pending top-up. Returns false if it is not pending. */
export async function endTopUp(
  tx: Db,
  id: string,
  { state, at }: { state: 'paid' | 'expired'; at: Date },
): Promise<boolean> {
  const { count } = await tx.walletTopUp.updateMany({
    where: { id, state: 'pending' },
    data: { state, updatedAt: at },
  });
  return count > 0;
}

/** Returns the id of the user's latest top-up with a pending Checkout Session; null if there is none. */
export async function findPendingTopUp(userId: string): Promise<string | null> {
  const found = await db().walletTopUp.findFirst({
    where: { userId, state: 'pending', sessionId: { not: null } },
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  });
  return found?.id ?? null;
}

/** Expires top-ups whose Checkout Session was never created. */
export async function cancelAbandonedTopUps(before: Date, now: Date): Promise<void> {
  await db().walletTopUp.updateMany({
    where: { state: 'pending', sessionId: null, createdAt: { lt: before } },
    data: { state: 'expired', updatedAt: now },
  });
}
