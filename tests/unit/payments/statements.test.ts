import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toStatementPdf } from '@/lib/payments/statements/statement-file';
import { toBalances } from '@/lib/payments/statements/statement-lines';
import { markReleased } from '@/lib/payments/store/earnings/due-earnings';
import { insertEarnings, setRefunded } from '@/lib/payments/store/earnings/earning-rows';
import { postTransactions } from '@/lib/payments/store/earnings/post-transactions';
import { findDifferences, sumMovements } from '@/lib/payments/store/papers/statement-rows';
import { inTransaction } from '@/lib/platform/db/tx';
import { newId } from '@/lib/platform/ids';
import { useTestDatabase } from '../../support/database';
import { textOfPdf } from './paper-fixture';
import { history, SellerHistory } from './statement-fixture';

useTestDatabase();

const MONTHS = 4;

function sumOf(balance: ReturnType<typeof toBalances>[number]): number {
  const { opening, sales, fees, tax, refunds, payouts, corrections } = balance;
  return opening + sales + fees + tax + refunds + payouts + corrections;
}

/** Compares the balances of a month with what the seller's history counted. */
function expectToAgree(seller: SellerHistory, balances: ReturnType<typeof toBalances>, month: number): void {
  for (const currency of ['EUR', 'JPY']) {
    const opening = seller.balanceOf('all', currency, new Date(Date.UTC(2026, month, 1)));
    const closing = seller.balanceOf('all', currency, new Date(Date.UTC(2026, month + 1, 1)));
    const counted = seller.expected.get(`${month} ${currency}`);
    const found = balances.find((balance) => balance.currency === currency);
    if (!found) {
      expect([opening, closing]).toEqual([0, 0]);
      continue;
    }
    expect(sumOf(found)).toBe(found.closing);
    const nothing = { sales: 0, fees: 0, tax: 0, refunds: 0, payouts: 0, corrections: 0, saleCount: 0 };
    expect(found).toEqual({ currency, test: true, opening, closing, ...nothing, ...counted });
  }
}

describe('a statement', () => {
  test('reconciles over 10,000 random months, each of which opens as the one before closed', () => {
    let months = 0;
    const check = fc.property(history(MONTHS), (steps) => {
      const seller = SellerHistory.play(steps, { sellerId: 'usr_seller', agents: ['agt_a', 'agt_b'] });
      for (let month = 0; month < MONTHS; month += 1) {
        expectToAgree(seller, toBalances(seller.movements(month)), month);
        months += 1;
      }
    });
    fc.assert(check, { numRuns: 2_500 });
    expect(months).toBe(10_000);
  });

  test('with a missing entry does not agree with what was sold and paid out', () => {
    const check = fc.property(history(1), fc.nat(), (steps, pick) => {
      const seller = SellerHistory.play(steps, { sellerId: 'usr_seller', agents: ['agt_a'] });
      const own = seller.posted.filter(({ transaction }) =>
        ['capture', 'payout-paid', 'tax'].includes(transaction.kind),
      );
      const victim = own[pick % Math.max(1, own.length)];
      if (!victim) return;
      const entries = victim.transaction.entries.filter(
        ({ account }) => !['merchant', 'available', 'transit'].includes(account.kind),
      );
      if (entries.length === victim.transaction.entries.length) return;
      const broken = seller.posted.map((one) =>
        one === victim ? { ...one, transaction: { ...one.transaction, entries } } : one,
      );
      expect(() => expectToAgree(seller, toBalances(seller.movements(0, broken)), 0)).toThrow();
    });
    fc.assert(check, { numRuns: 500 });
  });
});

/** Stores what a history did: its ledger, earnings and payouts. */
async function store(seller: SellerHistory): Promise<void> {
  await inTransaction(async (tx) => {
    await insertEarnings(tx, seller.earnings);
    for (const { id, refunded, feeRefunded, releasedAt } of seller.earnings) {
      await setRefunded(tx, { id, refunded, feeRefunded });
      if (releasedAt) await markReleased(tx, [id], releasedAt);
    }
    await tx.payout.createMany({ data: seller.payouts.map((one) => ({ ...one, amount: BigInt(one.amount) })) });
    // The buyer had the money.
    const wallet = { kind: 'held', owner: 'usr_buyer', test: true, balance: 10n ** 12n };
    await tx.ledgerAccount.createMany({
      data: ['EUR', 'JPY'].map((currency) => ({ id: newId('lac'), currency, ...wallet })),
      skipDuplicates: true,
    });
    for (const { at, transaction } of seller.posted) await postTransactions(tx, [transaction], at);
  }, 60_000);
}

describe('the ledger in PostgreSQL', () => {
  test('gives the statements of 200 random months, and agrees with sales and payouts', async () => {
    for (const steps of fc.sample(history(MONTHS), 50)) {
      const sellerId = newId('usr');
      const seller = SellerHistory.play(steps, { sellerId, agents: [newId('agt'), newId('agt')] });
      await store(seller);
      for (let month = 0; month < MONTHS; month += 1) {
        const range = { from: new Date(Date.UTC(2026, month, 1)), to: new Date(Date.UTC(2026, month + 1, 1)) };
        expectToAgree(seller, toBalances(await sumMovements(sellerId, range)), month);
      }
      const year = { from: new Date(Date.UTC(2026, 0, 1)), to: new Date(Date.UTC(2027, 0, 1)) };
      for (const balance of toBalances(await sumMovements(sellerId, year)))
        expect(balance.closing).toBe(seller.balanceOf('all', balance.currency));
      expect(await findDifferences(sellerId)).toEqual([]);
    }
  });

  test('an agent that changed its owner leaves each owner the own sales', async () => {
    const agentId = newId('agt');
    const sales = Array.from({ length: 3 }, () => ({ kind: 'sale' as const, pick: 2, amount: 1_000 }));
    const [first, second] = [newId('usr'), newId('usr')].map((sellerId) =>
      SellerHistory.play([sales], { sellerId, agents: [agentId] }),
    );
    for (const seller of [first, second]) if (seller) await store(seller);
    const range = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') };
    for (const seller of [first, second]) {
      const [balance] = toBalances(await sumMovements(seller?.sellerId ?? '', range));
      expect(balance).toMatchObject({ saleCount: 3, sales: 3_000 });
      expect(await findDifferences(seller?.sellerId ?? '')).toEqual([]);
    }
  });

  test.each([
    [
      'an entry of a sale',
      `DELETE FROM ledger_entry WHERE ctid = (SELECT n.ctid FROM ledger_entry n JOIN ledger_account a
      ON a.id = n.account_id WHERE a.kind = 'merchant' AND a.owner = $1 LIMIT 1)`,
      /^(balance|transaction|pending)/,
    ],
    [
      'a whole sale',
      `DELETE FROM ledger_entry WHERE transaction_id IN (SELECT n.transaction_id FROM ledger_entry n
      JOIN ledger_account a ON a.id = n.account_id WHERE a.kind = 'merchant' AND a.owner = $1 LIMIT 1)`,
      /^(balance|pending)/,
    ],
  ])('finds that %s is missing', async (_, statement, what) => {
    const [sellerId, agentId] = [newId('usr'), newId('agt')];
    const sales = Array.from({ length: 3 }, () => ({ kind: 'sale' as const, pick: 2, amount: 1_000 }));
    await store(SellerHistory.play([sales], { sellerId, agents: [agentId] }));
    expect(await findDifferences(sellerId)).toEqual([]);
    await inTransaction(async (tx) => {
      // Entries cannot be deleted otherwise.
      await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
      await tx.$executeRawUnsafe(statement, agentId);
    });
    const found = await findDifferences(sellerId);
    expect(found.some((difference) => what.test(difference.what))).toBe(true);
  });
});

test('a statement as PDF has every amount, and is the same for the same statement', async () => {
  const balance = {
    opening: 100,
    sales: 2_000,
    fees: -95,
    tax: 0,
    refunds: -300,
    payouts: -1_000,
    corrections: 0,
    closing: 705,
  };
  const statement = {
    period: '2026-11',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
    isComplete: true,
    reconciled: true,
    balances: [{ currency: 'EUR', test: false, ...balance, saleCount: 2 }],
  };
  const pdf = await toStatementPdf(statement);
  const text = textOfPdf(pdf);
  for (const part of ['Statement 2026-11', '2 sales', '20.00', '-0.95', '-3.00', '-10.00', '7.05', 'agree to the cent'])
    expect(text).toContain(part);
  expect(pdf.equals(await toStatementPdf(structuredClone(statement)))).toBe(true);
});
