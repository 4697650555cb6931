import { inTransaction } from '../../platform/db/tx';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { AUTHORIZE_TIMEOUT_MS, DELIVERY_TIMEOUT_MS } from '../limits';
import { applyMerchantReply, cancelHeldOrder, releaseSteps } from '../orders/apply-merchant-reply';
import { type DeliveryResult, type Hold, type JobDeps, type JobHandler, nextAttempt } from '../ports';
import type { OrderRecord } from '../record';
import { endedUnpaidStates, isIn, statesBeforeHold, unconfirmedStates } from '../schema-states';
import { chargeOf } from '../spending/charge';
import { InsufficientFundsError, postTransaction } from '../store/ledger';
import { moveOrder } from '../store/move-order';
import { findOrderById } from '../store/orders';
import { enqueueJob } from '../store/outbox';
import { recheckRefunds } from './capture-refund';

/**
 * Authorizes the payment of an approved order. For a card, the order becomes `payment_pending` before the Stripe
 * request.
 */
export const authorize: JobHandler = async (order, { now }) => {
  if (order.state !== 'approved' && order.state !== 'payment_pending') return 'done';
  if ((order.expiresAt ?? new Date(order.updatedAt.getTime() + AUTHORIZE_TIMEOUT_MS)) <= now()) {
    await applyHold(order, { kind: 'expired', code: 'offer_expired' }, now());
    return 'done';
  }
  const pendingOrder = order.method === 'card' && order.state === 'approved' ? await markPending(order, now()) : order;
  if (!pendingOrder) return 'done';
  const hold = await chargeOf(pendingOrder).authorize(pendingOrder);
  failpoint('authorize.called');
  await applyHold(pendingOrder, hold, now());
  return 'done';
};

async function markPending(order: OrderRecord, at: Date): Promise<OrderRecord | null> {
  const { id, version } = order;
  await inTransaction((tx) => moveOrder(tx, { id, from: 'approved', version, to: 'payment_pending', at }));
  const pendingOrder = await findOrderById(id);
  return pendingOrder?.state === 'payment_pending' ? pendingOrder : null;
}

/** Retrieves the hold or the refunds of an order. If the order has ended, releases the hold. */
export const retrieve: JobHandler = async (order, deps) => {
  const { now } = deps;
  const charge = chargeOf(order);
  if (isIn(order, statesBeforeHold)) {
    const hold = await charge.retrieve(order, now());
    failpoint('retrieve.called');
    await applyHold(order, hold, now());
  } else if (isIn(order, unconfirmedStates)) {
    const hold = await charge.retrieve(order, now());
    if (hold.kind === 'declined') await cancelHeldOrder(order, hold.code, now());
  } else if (endedUnpaidStates.includes(order.state)) {
    await charge.release(order);
  } else if (order.refunded > 0) {
    return recheckRefunds(order, deps);
  }
  return 'done';
};

/** Moves the order according to its hold. Releases the hold if the order has ended in the meantime. */
async function applyHold(order: OrderRecord, hold: Hold, at: Date): Promise<void> {
  const { id, state: from, version } = order;
  switch (hold.kind) {
    case 'held': {
      const moved = await saveHold(order, hold, at);
      if (!moved && endedUnpaidStates.includes((await findOrderById(id))?.state ?? from)) {
        await enqueueJob({ orderId: id, kind: 'release' }, at);
      }
      return;
    }
    case 'action': {
      if (from !== 'payment_pending') return;
      const { sessionId, redirectUrl } = hold;
      const followUp = order.expiresAt === null ? [] : [{ kind: 'retrieve' as const, dueAt: order.expiresAt }];
      const set = { sessionId, redirectUrl };
      await inTransaction((tx) =>
        moveOrder(tx, { id, from, version, to: 'action_required', at, set, outbox: followUp }),
      );
      return;
    }
    case 'pending':
      return;
    case 'declined':
    case 'expired': {
      const { kind: to, code } = hold;
      const set = { redirectUrl: null };
      await inTransaction((tx) => moveOrder(tx, { id, from, version, to, code, at, set, outbox: releaseSteps(at) }));
    }
  }
}

async function saveHold(order: OrderRecord, hold: Hold & { kind: 'held' }, at: Date): Promise<boolean> {
  const { id, state: from, version } = order;
  const { amount: authorized, paymentId, captureBefore } = hold;
  const set = {
    authorized,
    redirectUrl: null,
    ...(paymentId && { paymentId }),
    ...(captureBefore && { captureBefore }),
  };
  try {
    return await inTransaction(async (tx) => {
      const outbox = [{ kind: 'deliver' as const, dueAt: at }];
      if (!(await moveOrder(tx, { id, from, version, to: 'authorized', at, set, outbox }))) return false;
      const transaction = chargeOf(order).transactions.hold(order);
      if (transaction) await postTransaction(tx, transaction, at);
      return true;
    });
  } catch (error) {
    if (!(error instanceof InsufficientFundsError)) throw error;
    log.info('payments.insufficient_funds', { orderId: id });
    await applyHold(order, { kind: 'declined', code: 'insufficient_funds' }, at);
    return true;
  }
}

/** Sends the mandates of an authorized order and applies the merchant's response. */
export const deliver: JobHandler = async (order, deps, { attempts }) => {
  if (order.state !== 'authorized') return 'done';
  const delivery = await sendMandates(order, deps);
  failpoint('deliver.called');
  const at = deps.now();
  if (delivery.kind !== 'unreachable') {
    await inTransaction((tx) => applyMerchantReply(tx, { order, delivery, at }));
    return 'done';
  }
  const deadline = order.updatedAt.getTime() + DELIVERY_TIMEOUT_MS;
  if (at.getTime() >= deadline) return markTimedOut(order, at);
  return { retryAt: new Date(Math.min(nextAttempt(attempts, at).getTime(), deadline)) };
};

/** Ends an order whose merchant received the mandates and did not respond in time. */
export const checkDeliveryTimeout: JobHandler = async (order, { now }) => {
  if (order.state !== 'mandate_delivered') return 'done';
  return markTimedOut(order, now());
};

async function sendMandates(order: OrderRecord, { ports, now, signal }: JobDeps): Promise<DeliveryResult> {
  try {
    return await ports.deliver(order, { now: now(), signal });
  } catch (error) {
    log.warn('payments.delivery_failed', { orderId: order.id, ...errorFields(error) });
    return { kind: 'unreachable' };
  }
}

async function markTimedOut({ id, state: from, version }: OrderRecord, at: Date): Promise<'done'> {
  const step = { id, from, version, to: 'delivery_timeout', code: 'merchant_silent', at } as const;
  await inTransaction((tx) => moveOrder(tx, { ...step, outbox: releaseSteps(at) }));
  return 'done';
}
