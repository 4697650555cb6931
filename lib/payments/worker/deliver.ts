import { inTransaction } from '../../platform/db/tx';
import { failpoint } from '../../platform/runtime/failpoint';
import { errorFields, log } from '../../platform/runtime/log';
import { applyMerchantReply, releaseSteps } from '../ap2/apply-merchant-reply';
import { DELIVERY_TIMEOUT_MS } from '../limits';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import { moveOrder } from '../store/move-order';
import { type JobDeps, type JobHandler, nextAttempt } from './job';

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
