import type { Tx } from '../../platform/db/tx';
import { ParleyError } from '../../platform/errors';
import { REPEATED_PAYMENT_MS } from '../limits';
import type { Charge } from '../ports';
import type { OrderRecord } from '../record';
import { alertsOf, alertTexts } from '../spending/alerts';
import { reserveSpending } from '../spending/reserve';
import { findDigestTime } from '../store/automatic-digests';
import { moveOrder } from '../store/move-order';
import { findCredit, hasPaidAgent } from '../store/orders';
import { saveAlerts } from '../store/spending-alerts';
import type { SpendingKey } from '../store/spending-limits';
import { findSubjectName } from '../store/spending-subjects';
import { countAutomaticPayments } from '../store/standing-use';
import { cardCharge } from './card-charge';
import {
  captureTransaction,
  heldAccountOf,
  orderTransaction,
  refundTransaction,
  walletAccountOf,
} from './ledger-transactions';
import { isCardCurrency, isTestMode, platformFee } from './stripe-mode';

interface ChargeStart {
  order: OrderRecord;
  method: 'wallet' | 'card';
  /** The session or access token that approved the order. */
  credentialId: string;
  /** The standing approval that pays it. */
  standingId?: string;
  at: Date;
}

/**
 * Starts the charge of an order in `awaiting_approval`, in the transaction that stores the approval by this credential.
 * After its commit any node authorizes the payment. False when the order has changed; then nothing is written, and the
 * caller must roll back.
 * @throws {ParleyError} `conflict` when the order's currency cannot be paid by card; `spending_limit_exceeded`
 */
export async function startCharge(
  tx: Tx,
  { order, method, credentialId, standingId, at }: ChargeStart,
): Promise<boolean> {
  if (method === 'card' && !isCardCurrency(order.currency)) {
    throw new ParleyError(
      'conflict',
      `An order in ${order.currency} cannot be paid by card here. Pay from your wallet.`,
    );
  }
  const { origin, limits } = await reserveSpending(tx, { order, credentialId, now: at });
  const { userId, currency } = order;
  const test = isTestMode();
  const balance = method === 'wallet' ? await findCredit(tx, { userId, currency, test }) : null;
  const isFirstAtAgent = !(await hasPaidAgent(tx, order));
  const nameOf = async (limit: SpendingKey): Promise<string> => (await findSubjectName(userId, limit, tx)) ?? '';
  const isAutomatic = standingId !== undefined;
  const after = new Date(at.getTime() - REPEATED_PAYMENT_MS);
  const recentPayments = isAutomatic ? await countAutomaticPayments(tx, { id: standingId, after }) : 0;
  const alerts = await alertsOf({ order, limits, nameOf, isFirstAtAgent, isAutomatic, recentPayments, balance });
  const texts = alertTexts(alerts, currency);
  const announcement = { kind: 'announce' as const, dueAt: at, payload: { event: 'spending', text: texts.join('\n') } };
  const moved = await moveOrder(tx, {
    id: order.id,
    from: 'awaiting_approval',
    version: order.version,
    to: 'approved',
    at,
    set: { method, test, fee: platformFee(order.amount), approvedAt: at, ...origin, standingId },
    outbox: [{ kind: 'authorize', dueAt: at }, ...(texts.length > 0 ? [announcement] : [])],
  });
  if (!moved) return false;
  const digestAt = isAutomatic ? await findDigestTime(tx, userId, at) : null;
  await saveAlerts(tx, { userId, orderId: order.id, at, digestAt }, alerts);
  return true;
}

/** The payment method of an order. */
export function chargeOf(order: OrderRecord): Charge {
  return order.method === 'card' ? cardCharge : walletCharge;
}

/** Pays from the wallet: only the ledger changes, in the transaction that moves the order. */
const walletCharge: Charge = {
  authorize: async ({ amount }) => ({ kind: 'held', amount }),
  retrieve: async () => ({ kind: 'pending' }),
  capture: async () => ({ kind: 'done' }),
  release: async () => {},
  refund: async () => ({ kind: 'done' }),
  transactions: {
    hold: (order) =>
      orderTransaction(order, 'hold', { from: walletAccountOf(order.userId), to: heldAccountOf(order.userId) }),
    capture: (order) => captureTransaction(order, heldAccountOf(order.userId)),
    release: (order) =>
      orderTransaction(order, 'release', { from: heldAccountOf(order.userId), to: walletAccountOf(order.userId) }),
    refund: (order, refund) => refundTransaction(order, refund, walletAccountOf(order.userId)),
  },
};
