import fc from 'fast-check';
import { captureTransaction, refundReversal, refundTransaction } from '@/lib/payments/charges/ledger-transactions';
import { earningTransaction, netOf } from '@/lib/payments/earnings/earning-accounts';
import { taxToMove, taxTransaction } from '@/lib/payments/papers/keep-tax';
import { type PayoutPosting, payoutTransaction } from '@/lib/payments/payouts/payout-machine';
import type { EarningRecord, LedgerTransaction, OrderRecord, PayoutRecord, RefundRecord } from '@/lib/payments/record';
import type { StatementBalance } from '@/lib/payments/schema-payouts';
import type { LedgerMovement } from '@/lib/payments/store/papers/statement-rows';

/** One thing that happens; numbers choose among what is there. */
export interface Step {
  kind: 'sale' | 'refund' | 'returned' | 'release' | 'tax' | 'payout' | 'paid' | 'unpaid' | 'failed';
  pick: number;
  amount: number;
}

const kinds: Step['kind'][] = ['sale', 'refund', 'returned', 'release', 'tax', 'payout', 'paid', 'unpaid', 'failed'];

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof({ weight: 2, arbitrary: fc.constant('sale' as const) }, fc.constantFrom(...kinds)),
  pick: fc.nat(1_000),
  amount: fc.integer({ min: 1, max: 100_000 }),
});

/** Months with their steps. */
export const history = (months: number): fc.Arbitrary<Step[][]> =>
  fc.array(fc.array(step, { maxLength: 12 }), { minLength: months, maxLength: months });

export interface Posted {
  at: Date;
  transaction: LedgerTransaction;
}

type Sums = Omit<StatementBalance, 'currency' | 'test' | 'opening' | 'closing'>;

const noSums: Sums = { sales: 0, fees: 0, tax: 0, refunds: 0, payouts: 0, corrections: 0, saleCount: 0 };
const currencies = ['EUR', 'JPY'];

/**
 * A seller whose sales, refunds and payouts are chosen by steps. Counts what a statement must say by itself, from the
 * amounts of the sales and payouts, while the ledger transactions are those of the product.
 */
export class SellerHistory {
  readonly posted: Posted[] = [];
  readonly earnings: EarningRecord[] = [];
  readonly payouts: PayoutRecord[] = [];
  /** By month and currency. */
  readonly expected = new Map<string, Sums>();
  private readonly refunds: { earning: EarningRecord; transaction: LedgerTransaction; amount: number; fee: number }[] =
    [];
  private readonly taxed = new Set<EarningRecord>();
  private count = 0;

  constructor(
    readonly sellerId: string,
    readonly agents: string[],
  ) {}

  static play(months: Step[][], { sellerId, agents }: { sellerId: string; agents: string[] }): SellerHistory {
    const seller = new SellerHistory(sellerId, agents);
    months.forEach((steps, month) => {
      steps.forEach((one, index) => void seller.take(one, new Date(Date.UTC(2026, month, 1, 0, 0, 0, index))));
    });
    return seller;
  }

  private take({ kind, pick, amount }: Step, at: Date): void {
    const open = this.earnings.filter((earning) => earning.refunded < earning.gross);
    const earning = open[pick % open.length];
    const payoutIn = (...states: PayoutRecord['state'][]): PayoutRecord | undefined => {
      const some = this.payouts.filter(({ state }) => states.includes(state));
      return some[pick % some.length];
    };
    const acts: Record<Step['kind'], () => void> = {
      sale: () => this.sell(amount, { pick, at }),
      refund: () => earning && this.refund(earning, { amount, at }),
      returned: () => this.returnRefund(pick, at),
      release: () => earning && this.release(earning, at),
      tax: () => earning && this.keepTax(earning, { rate: pick % 30, at }),
      payout: () => this.payOut(currencies[pick % 2] ?? 'EUR', at),
      paid: () => this.settle(payoutIn('created'), { state: 'paid', posting: 'payout-paid', at }),
      unpaid: () => this.settle(payoutIn('paid'), { state: 'returning', posting: 'payout-unpaid', at }),
      failed: () => this.settle(payoutIn('created', 'returning'), { state: 'failed', posting: 'payout-returned', at }),
    };
    acts[kind]();
  }

  private id(prefix: string): string {
    this.count += 1;
    return `${prefix}_${this.sellerId.slice(4)}${this.count}`;
  }

  private post(transaction: LedgerTransaction, at: Date): void {
    const entries = transaction.entries.filter(({ amount }) => amount !== 0);
    if (entries.length > 0) this.posted.push({ at, transaction: { ...transaction, entries } });
  }

  private tally(at: Date, currency: string, change: Partial<Sums>): void {
    const key = `${at.getUTCMonth()} ${currency}`;
    const sums = { ...noSums, ...this.expected.get(key) };
    for (const [name, amount] of Object.entries(change)) sums[name as keyof Sums] += amount;
    this.expected.set(key, sums);
  }

  private sell(gross: number, { pick, at }: { pick: number; at: Date }): void {
    const currency = currencies[pick % 2] ?? 'EUR';
    const fee = Math.floor((gross * (pick % 100)) / 100);
    const agentId = this.agents[pick % this.agents.length] ?? '';
    const saleId = this.id('ord');
    const sale = { saleKind: 'order' as const, saleId, sellerId: this.sellerId, agentId, currency, test: true };
    const hold = {
      hold: 'refund_window' as const,
      reserved: 0,
      availableAt: at,
      releasedAt: null,
      capturedAt: at,
    };
    this.earnings.push({ id: this.id('ern'), ...sale, ...hold, gross, fee, tax: 0, refunded: 0, feeRefunded: 0 });
    const order = { id: saleId, agentId, currency, test: true, authorized: gross, fee } as OrderRecord;
    this.post(captureTransaction(order, { kind: 'held', owner: 'usr_buyer' }), at);
    this.tally(at, currency, { sales: gross, fees: -fee, saleCount: 1 });
  }

  private sellerAccount({ releasedAt, agentId }: EarningRecord) {
    return releasedAt === null
      ? { kind: 'merchant' as const, owner: agentId }
      : { kind: 'available' as const, owner: this.sellerId };
  }

  private refund(earning: EarningRecord, { amount: wanted, at }: { amount: number; at: Date }): void {
    const amount = Math.min(wanted, earning.gross - earning.refunded);
    const { saleId: id, agentId, currency, gross, refunded } = earning;
    const left = earning.fee - earning.feeRefunded;
    const order = { id, agentId, currency, test: true, captured: gross, refunded, fee: left } as OrderRecord;
    const refund = { id: this.id('rfd'), orderId: id, amount } as RefundRecord;
    const to = { kind: 'wallet' as const, owner: 'usr_buyer' };
    const transaction = refundTransaction(order, refund, { seller: this.sellerAccount(earning), to });
    const fee = -(transaction.entries.find(({ account }) => account.kind === 'fees')?.amount ?? 0);
    earning.refunded += amount;
    earning.feeRefunded += fee;
    this.refunds.push({ earning, transaction, amount, fee });
    this.post(transaction, at);
    // A refund of nothing but the fee moves no money of the seller.
    if (amount > fee) this.tally(at, currency, { refunds: -amount, fees: fee });
  }

  private returnRefund(pick: number, at: Date): void {
    const [refund] = this.refunds.splice(pick % Math.max(1, this.refunds.length), 1);
    if (!refund) return;
    const { earning, transaction, amount, fee } = refund;
    earning.refunded -= amount;
    earning.feeRefunded -= fee;
    this.post(refundReversal(transaction, this.sellerAccount(earning)), at);
    if (amount > fee) this.tally(at, earning.currency, { refunds: amount, fees: -fee });
  }

  private release(earning: EarningRecord, at: Date): void {
    if (earning.releasedAt !== null) return;
    this.post(earningTransaction(earning, { name: 'available', kind: 'earning', amount: netOf(earning) }), at);
    earning.releasedAt = at;
  }

  private keepTax(earning: EarningRecord, { rate, at }: { rate: number; at: Date }): void {
    if (this.taxed.has(earning)) return;
    this.taxed.add(earning);
    const tax = Math.round((earning.gross * rate) / (100 + rate));
    const amount = taxToMove(earning, { kind: 'invoice', tax });
    this.post(taxTransaction(earning, { name: this.id('ltx'), amount }), at);
    earning.tax += amount;
    this.tally(at, earning.currency, { tax: -amount });
  }

  private payOut(currency: string, at: Date): void {
    const amount = this.balanceOf('available', currency);
    if (amount <= 0) return;
    const fixed = {
      rail: 'credits',
      cause: 'request',
      accountId: null,
      transferId: null,
      code: null,
      reason: null,
    } as const;
    const more = {
      bankPayoutId: null,
      reversalId: null,
      attempt: 1,
      version: 0,
      arrivesAt: null,
      endedAt: null,
    } as const;
    const dates = { createdAt: at, updatedAt: at };
    const { sellerId } = this;
    const payout = { id: this.id('pyo'), sellerId, currency, amount, test: true, state: 'created' as const };
    this.payouts.push({ ...fixed, ...more, ...dates, ...payout });
    this.post(payoutTransaction({ ...fixed, ...more, ...dates, ...payout }, 'payout'), at);
  }

  private settle(
    payout: PayoutRecord | undefined,
    { state, posting, at }: { state: PayoutRecord['state']; posting: PayoutPosting; at: Date },
  ): void {
    if (!payout || this.posted.some(({ transaction: { key } }) => key === `payout:${payout.id}:${posting}`)) return;
    const sign = { 'payout-paid': -1, 'payout-unpaid': 1, 'payout-returned': 0, payout: 0 }[posting];
    payout.state = state;
    this.post(payoutTransaction(payout, posting), at);
    this.tally(at, payout.currency, { payouts: sign * payout.amount });
  }

  /** The seller's money in the ledger in some kinds of accounts, before a time. */
  balanceOf(kind: 'available' | 'all', currency: string, before = new Date('2100-01-01')): number {
    return this.posted
      .filter(({ at, transaction }) => at < before && transaction.currency === currency)
      .flatMap(({ transaction: { entries } }) => entries)
      .filter(({ account }) => (kind === 'all' ? this.isOwn(account.kind) : account.kind === kind))
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  private isOwn(kind: string): boolean {
    return ['merchant', 'available', 'reserve', 'transit'].includes(kind);
  }

  /** What the store returns for a month: sums of transactions by kind. */
  movements(month: number, posted = this.posted): LedgerMovement[] {
    const [from, to] = [new Date(Date.UTC(2026, month, 1)), new Date(Date.UTC(2026, month + 1, 1))];
    const sumOf = ({ transaction: { entries } }: Posted, isIn: (kind: string) => boolean): number =>
      entries.filter(({ account }) => isIn(account.kind)).reduce((sum, { amount }) => sum + amount, 0);
    return posted
      .filter(({ at }) => at < to)
      .map((one) => ({
        within: one.at >= from,
        currency: one.transaction.currency,
        test: true,
        kind: one.transaction.kind,
        own: sumOf(one, (kind) => this.isOwn(kind)),
        // The store reads fee and tax of sales and refunds only: others are the whole change of the seller.
        fees: ['capture', 'refund', 'refund-returned'].includes(one.transaction.kind)
          ? sumOf(one, (kind) => kind === 'fees')
          : 0,
        tax: 0,
        count: 1,
      }))
      .filter(({ own }) => own !== 0);
  }
}
