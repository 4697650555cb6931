import { type AuditEntry, appendAudit } from '../../observability';
import { inTransaction } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { type AssetCode, assetCodes, toMoneyText } from '../../protocol/ap2/money';
import { walletAccountOf } from '../charges/ledger-transactions';
import type { LedgerAccount, LedgerTransaction } from '../record';
import { InsufficientFundsError, postTransaction } from '../store/ledger';
import {
  findOwedPayouts,
  findOwedRefunds,
  findUnclearPayments,
  type OwedPayout,
  type OwedRefund,
  type UnclearPayment,
} from '../store/x402/x402-balances';
import { endX402Payment, findX402Payment } from '../store/x402/x402-payments';
import { creditPayment, X402_ACCOUNT } from './settle-x402';

/** What the operator has to do with the money at `X402_PAY_TO`. */
export interface X402Duties {
  refunds: OwedRefund[];
  payouts: OwedPayout[];
  unclear: UnclearPayment[];
}

/** Returns what is owed to payers and sellers, and the payments that have to be examined. For the operator. */
export async function listX402Duties(): Promise<X402Duties> {
  const [refunds, payouts, unclear] = await Promise.all([
    findOwedRefunds(),
    findOwedPayouts([...assetCodes]),
    findUnclearPayments(),
  ]);
  return { refunds, payouts, unclear };
}

/** A transfer that the operator made by hand. */
interface Transfer {
  /** Minor units. */
  amount: number;
  /** Its transaction; it is recorded once. */
  transaction: string;
}

/**
 * Records that the operator paid money back to the payer of a payment.
 * @throws {ParleyError} `not_found`; `conflict` if less is owed, or the transaction is recorded
 */
export async function recordX402Refund(
  { paymentId, amount, transaction }: Transfer & { paymentId: string },
  now: Date,
): Promise<void> {
  const payment = await findX402Payment(paymentId);
  if (payment?.state !== 'settled')
    throw new ParleyError('not_found', `There is no settled payment ${paymentId}. "parley x402" lists what is owed.`);
  const { principal, currency, test } = payment;
  await record({
    key: `x402:${paymentId}:refund:${transaction}`,
    kind: 'refund-by-hand',
    from: walletAccountOf(principal),
    ...{ amount, currency, test, now, object: paymentId, detail: transaction },
  });
}

/**
 * Records that the operator paid a seller what is available in an asset.
 * @throws {ParleyError} `conflict` if less is available, or the transaction is recorded
 */
export async function recordX402Payout(
  { sellerId, currency, amount, transaction }: Transfer & { sellerId: string; currency: AssetCode },
  now: Date,
): Promise<void> {
  const owed = (await findOwedPayouts([currency])).filter((payout) => payout.sellerId === sellerId);
  const payout = owed.find((one) => one.amount >= amount);
  if (!payout)
    throw notOwed(
      { currency, minor: amount },
      owed.reduce((sum, one) => Math.max(sum, one.amount), 0),
    );
  await record({
    key: `x402:${sellerId}:payout:${transaction}`,
    kind: 'payout-by-hand',
    from: { kind: 'available', owner: sellerId },
    ...{ amount, currency, test: payout.test, now, object: sellerId, detail: transaction },
  });
}

interface HandTransfer extends Pick<LedgerTransaction, 'key' | 'kind' | 'currency' | 'test'> {
  from: LedgerAccount;
  amount: number;
  object: string;
  detail: string;
  now: Date;
}

async function record({ key, kind, from, amount, currency, test, object, detail, now }: HandTransfer): Promise<void> {
  const entries = [
    { account: from, amount: -amount },
    { account: X402_ACCOUNT, amount },
  ];
  const audit: AuditEntry = { at: now, event: 'x402.recorded', subject: 'parley', object, detail: `${kind} ${detail}` };
  try {
    await inTransaction(async (tx) => {
      if (!(await postTransaction(tx, { key, kind, orderId: null, currency, test, entries }, now)))
        throw new ParleyError('conflict', `The transaction ${detail} is already recorded.`);
      await appendAudit(tx, audit);
    });
  } catch (error) {
    if (error instanceof InsufficientFundsError) throw notOwed({ currency, minor: amount });
    throw error;
  }
}

function notOwed(money: { currency: string; minor: number }, owed?: number): ParleyError {
  const found = owed === undefined ? 'less' : toMoneyText({ ...money, minor: owed });
  const text = `Found ${toMoneyText(money)}, but ${found} is owed. "parley x402" lists what is owed.`;
  return new ParleyError('conflict', text);
}

/**
 * Decides a payment of which nobody knew whether it was taken: by its transaction, or null if none exists.
 * @throws {ParleyError} `not_found` if no unclear payment has the id; `conflict` if the transaction paid another one
 */
export async function decideX402Payment(
  { paymentId, transaction }: { paymentId: string; transaction: string | null },
  now: Date,
): Promise<void> {
  const payment = await findX402Payment(paymentId);
  if (payment?.state !== 'unclear')
    throw new ParleyError('not_found', `There is no unclear payment ${paymentId}. "parley x402" lists them.`);
  if (transaction === null) await endX402Payment(paymentId, { state: 'failed', reason: 'not taken', at: now });
  else {
    const result = await creditPayment(payment, transaction, now);
    if (result.kind !== 'ended' || result.payment.state !== 'settled')
      throw new ParleyError('conflict', `The transaction ${transaction} paid another request.`);
  }
  const detail = transaction === null ? 'not taken' : `taken ${transaction}`;
  const audit: AuditEntry = { at: now, event: 'x402.recorded', subject: 'parley', object: paymentId, detail };
  await inTransaction((tx) => appendAudit(tx, audit));
}
