import { inTransaction, lockName } from '../../platform/db/tx';
import { newId } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { HOUR_MS } from '../../platform/time';
import { heldAccountOf, walletAccountOf } from '../charges/ledger-transactions';
import {
  X402_BATCH_SIZE,
  X402_CREDIT_MS,
  X402_LEASE_MS,
  X402_MAX_ATTEMPTS,
  X402_QUOTE_SECONDS,
  X402_RETRY_MS,
} from '../limits';
import type { LedgerAccount } from '../record';
import { ensureAccount, postTransaction } from '../store/ledger';
import { replaceApproval } from '../store/plans/price-approvals';
import {
  endX402Payment,
  expireX402Payments,
  findDueSettlements,
  findX402Payment,
  leaseX402Payment,
  markX402Settled,
  returnX402Lease,
  type X402PaymentRecord,
} from '../store/x402/x402-payments';
import { settlePayment } from './facilitator';

/** The counterparty of money that is paid by x402. The operator receives it at `X402_PAY_TO`. */
export const X402_ACCOUNT: LedgerAccount = { kind: 'outside', owner: 'x402' };

/** The state of a payment after an attempt to settle it. `busy`: another request or node settles it. */
export type SettlementResult =
  | { kind: 'ended'; payment: X402PaymentRecord }
  | { kind: 'busy' }
  | { kind: 'away'; reason: string; mayBePaid: boolean };

/**
 * Settles a payment, once: the attempt is counted before the request is sent, so that a lost answer, or the death of
 * the process, is followed by a repetition of the same request. After it, only the facilitator's transaction counts as
 * success; a refusal leaves the payment unclear, because an earlier attempt may have transferred it.
 */
export async function settleX402(id: string, now: Date): Promise<SettlementResult> {
  const leased = await leaseX402Payment(id, { now, leaseUntil: new Date(now.getTime() + X402_LEASE_MS) });
  if (!leased?.payload) return stateOf(id);
  failpoint('x402.settling');
  const answer = await settlePayment({ payload: leased.payload, requirements: leased.requirements });
  failpoint('x402.answered');
  const at = new Date();
  if (answer.kind === 'settled') return creditPayment(leased, answer.transaction, at);
  const { kind, reason } = answer;
  const isFirst = leased.attempts === 1;
  if (kind === 'refused') return end(leased, { state: isFirst ? 'failed' : 'unclear', reason, at });
  if (kind === 'lost' && leased.attempts >= X402_MAX_ATTEMPTS) return end(leased, { state: 'unclear', reason, at });
  const retryAt = new Date(at.getTime() + (kind === 'lost' ? retryDelay(leased.attempts) : 0));
  await returnX402Lease(leased, { arrived: kind === 'lost', retryAt: isFirst ? at : retryAt });
  return { kind: 'away', reason, mayBePaid: kind === 'lost' || !isFirst };
}

function retryDelay(attempts: number): number {
  return Math.min(HOUR_MS, X402_RETRY_MS * 2 ** (attempts - 1));
}

/** Ends a payment as an attempt was answered, unless another attempt began meanwhile, whose answer counts then. */
async function end(
  { id, attempts }: X402PaymentRecord,
  ending: { state: 'failed' | 'unclear'; reason: string; at: Date },
): Promise<SettlementResult> {
  if (!(await endX402Payment(id, { ...ending, attempts }))) return stateOf(id);
  if (ending.state === 'unclear') log.error('x402.payment_unclear', { paymentId: id, reason: ending.reason });
  return endedAs(id);
}

async function stateOf(id: string): Promise<SettlementResult> {
  const payment = await findX402Payment(id);
  return payment && payment.state !== 'settling' ? { kind: 'ended', payment } : { kind: 'busy' };
}

async function endedAs(id: string): Promise<SettlementResult> {
  const payment = await findX402Payment(id);
  if (!payment) throw new Error(`payment ${id} is gone`);
  return { kind: 'ended', payment };
}

/**
 * Records that a payment was transferred: its amount is the payer's, who may use it for the paid plan. A transaction
 * that paid another payment pays nothing.
 */
export async function creditPayment(
  payment: X402PaymentRecord,
  settlement: string,
  at: Date,
): Promise<SettlementResult> {
  const { id, network } = payment;
  const state = await inTransaction(async (tx) => {
    // Another payment may claim the same transaction at the same time.
    await lockName(tx, `x402 ${network} ${settlement}`);
    const marked = await markX402Settled(tx, { id, network, settlement, at });
    if (marked !== 'settled') return marked;
    const { principal, agentId, plan, currency, test, amount } = payment;
    const wallet = walletAccountOf(principal);
    await ensureAccount(tx, heldAccountOf(principal), { currency, test });
    const entries = [
      { account: X402_ACCOUNT, amount: -amount },
      { account: wallet, amount },
    ];
    await postTransaction(tx, { key: `x402:${id}`, kind: 'top-up', orderId: null, currency, test, entries }, at);
    await replaceApproval(tx, {
      ...{ id: newId('pap'), userId: principal, agentId, planId: plan.id, plan: { ...plan, currency }, currency, test },
      ...{ amount, total: amount, agentsMayUse: true, method: 'token' },
      ...{ credentialId: principal, connectionId: null, createdAt: at },
      expiresAt: new Date(at.getTime() + X402_CREDIT_MS),
    });
    return marked;
  });
  failpoint('x402.settled');
  if (state === 'reused') {
    await endX402Payment(id, { state: 'failed', reason: 'its transaction has paid another request', at });
    log.error('x402.transaction_reused', { paymentId: id, network, settlement });
  }
  return endedAs(id);
}

/**
 * Repeats settlements that have no answer, which a payer may never do, and ends verified payments that nobody settled.
 * Returns true if there may be more.
 */
export async function settleDueX402(now: Date): Promise<boolean> {
  if (env().X402_FACILITATOR_URL === undefined) return false;
  await expireX402Payments(new Date(now.getTime() - 2 * X402_QUOTE_SECONDS * 1_000), now);
  const due = await findDueSettlements(now, X402_BATCH_SIZE);
  for (const id of due) {
    try {
      await settleX402(id, new Date());
    } catch (error) {
      log.warn('x402.settlement_failed', { paymentId: id, ...errorFields(error) });
    }
  }
  return due.length === X402_BATCH_SIZE;
}
