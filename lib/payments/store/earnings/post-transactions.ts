import { Prisma } from '../../../generated/prisma/client';
import type { Db } from '../../../platform/db/db';
import { bool, row, text } from '../../../platform/db/rows';
import { executeIn } from '../../../platform/db/sql';
import { newId } from '../../../platform/ids';
import type { LedgerTransaction } from '../../record';

const keyRow = row({ key: text() });
const accountRow = row({ id: text(), kind: text(), owner: text(), currency: text(), test: bool() });

type Account = { kind: string; owner: string; currency: string; test: boolean };

/**
 * Posts several ledger transactions with a constant number of statements, like `postTransaction` of `../ledger`.
 * Transactions whose key is already posted are left out. Each must have entries that are not 0.
 * @throws database errors if an account that may not be negative becomes negative
 */
export async function postTransactions(tx: Db, transactions: LedgerTransaction[], at: Date): Promise<void> {
  if (transactions.length === 0) return;
  const ids = await lockAccounts(tx, accountsOf(transactions));
  const posted = await insertTransactions(tx, transactions, at);
  const entries = transactions.flatMap((transaction) => {
    const transactionId = posted.get(transaction.key);
    if (transactionId === undefined) return [];
    return transaction.entries.map(({ account, amount }) => {
      const accountId = ids.get(nameOf({ ...transaction, ...account })) ?? '';
      return { transactionId, accountId, amount };
    });
  });
  await insertEntries(tx, entries);
}

function accountsOf(transactions: LedgerTransaction[]): Account[] {
  const accounts = transactions.flatMap(({ currency, test, entries }) =>
    entries.map(({ account: { kind, owner } }): Account => ({ kind, owner, currency, test })),
  );
  return [...new Map(accounts.map((account) => [nameOf(account), account])).values()];
}

function nameOf({ kind, owner, currency, test }: Account): string {
  return `${kind} ${owner} ${currency} ${test}`;
}

/** Creates and locks accounts, in the order of `postTransaction`, so that concurrent transactions cannot deadlock. */
async function lockAccounts(tx: Db, accounts: Account[]): Promise<Map<string, string>> {
  const given = Prisma.sql`unnest(${accounts.map(() => newId('lac'))}::text[], ${accounts.map(({ kind }) => kind)}::text[],
    ${accounts.map(({ owner }) => owner)}::text[], ${accounts.map(({ currency }) => currency)}::text[],
    ${accounts.map(({ test }) => test)}::boolean[]) AS g(id, kind, owner, currency, test)`;
  const order = Prisma.sql`g.kind COLLATE "C", g.owner COLLATE "C", g.currency COLLATE "C", g.test`;
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO ledger_account (id, kind, owner, currency, test) SELECT g.* FROM ${given}
      WHERE NOT EXISTS (SELECT FROM ledger_account a WHERE a.kind = g.kind AND a.owner = g.owner
        AND a.currency = g.currency AND a.test = g.test)
      ORDER BY ${order} ON CONFLICT (kind, owner, currency, test) DO NOTHING`,
  );
  const locked = await accountRow.queryIn(
    tx,
    Prisma.sql`SELECT a.id, a.kind, a.owner, a.currency, a.test FROM ${given} JOIN ledger_account a
        ON a.kind = g.kind AND a.owner = g.owner AND a.currency = g.currency AND a.test = g.test
      ORDER BY ${order} FOR UPDATE OF a`,
  );
  return new Map(locked.map((account) => [nameOf(account), account.id]));
}

async function insertTransactions(tx: Db, transactions: LedgerTransaction[], at: Date): Promise<Map<string, string>> {
  const ids = new Map(transactions.map(({ key }) => [key, newId('ltx')]));
  const inserted = await keyRow.queryIn(
    tx,
    Prisma.sql`INSERT INTO ledger_transaction (id, key, kind, order_id, at)
      SELECT g.id, g.key, g.kind, g.order_id, ${at} FROM unnest(${[...ids.values()]}::text[], ${[...ids.keys()]}::text[],
        ${transactions.map(({ kind }) => kind)}::text[], ${transactions.map(({ orderId }) => orderId)}::text[])
        AS g(id, key, kind, order_id)
      ON CONFLICT (key) DO NOTHING RETURNING key`,
  );
  return new Map(inserted.map(({ key }) => [key, ids.get(key) ?? '']));
}

interface Entry {
  transactionId: string;
  accountId: string;
  amount: number;
}

async function insertEntries(tx: Db, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const accountIds = entries.map(({ accountId }) => accountId);
  const amounts = entries.map(({ amount }) => BigInt(amount));
  await executeIn(
    tx,
    Prisma.sql`INSERT INTO ledger_entry (transaction_id, account_id, amount)
      SELECT * FROM unnest(${entries.map(({ transactionId }) => transactionId)}::text[], ${accountIds}::text[],
        ${amounts}::bigint[])`,
  );
  await executeIn(
    tx,
    Prisma.sql`UPDATE ledger_account a SET balance = a.balance + d.amount
      FROM (SELECT id, sum(amount)::bigint AS amount FROM unnest(${accountIds}::text[], ${amounts}::bigint[])
        AS g(id, amount) GROUP BY id) d WHERE a.id = d.id`,
  );
}
