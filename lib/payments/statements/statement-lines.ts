import type { LedgerTransaction } from '../record';
import type { StatementBalance } from '../schema-payouts';
import type { LedgerMovement } from '../store/papers/statement-rows';

type Line = 'sales' | 'fees' | 'tax' | 'refunds' | 'payouts' | 'corrections';

/** Returns what movements of a kind are called on a statement. Moves between the seller's own accounts add up to 0. */
function linesOf({ kind, own, fees, tax }: LedgerMovement): Partial<Record<Line, number>> {
  switch (kind as LedgerTransaction['kind']) {
    case 'capture':
      return { sales: own + fees + tax, fees: -fees, tax: -tax };
    case 'refund':
    case 'refund-returned':
      return { refunds: own + fees + tax, fees: -fees, tax: -tax };
    case 'tax':
      return { tax: own };
    case 'payout-paid':
    case 'payout-unpaid':
    case 'payout-by-hand':
      return { payouts: own };
    default:
      return { corrections: own };
  }
}

/**
 * Returns the balances of a statement, real money first: opening + sales + fees + tax + refunds + payouts + corrections
 * = closing. A currency in which nothing is left and nothing changed is left out.
 */
export function toBalances(movements: LedgerMovement[]): StatementBalance[] {
  const balances = new Map<string, StatementBalance>();
  for (const movement of movements) {
    const { within, currency, test, kind, own, count } = movement;
    const key = `${test} ${currency}`;
    const balance = balances.get(key) ?? emptyBalance(currency, test);
    balances.set(key, balance);
    balance.closing += own;
    if (!within) {
      balance.opening += own;
      continue;
    }
    if (kind === 'capture') balance.saleCount += count;
    for (const [line, amount] of Object.entries(linesOf(movement))) balance[line as Line] += amount;
  }
  const used = [...balances.entries()].filter(([, balance]) => isUsed(balance, movements));
  return used.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, balance]) => balance);
}

function isUsed({ currency, test, opening }: StatementBalance, movements: LedgerMovement[]): boolean {
  return opening !== 0 || movements.some((one) => one.within && one.currency === currency && one.test === test);
}

function emptyBalance(currency: string, test: boolean): StatementBalance {
  const amounts = { opening: 0, sales: 0, fees: 0, tax: 0, refunds: 0, payouts: 0, corrections: 0, closing: 0 };
  return { currency, test, ...amounts, saleCount: 0 };
}
