import { faultPoint } from '../../platform/fault-point';
import { errorFields, log } from '../../platform/log';
import { inTransaction } from '../../platform/tx';
import type { Delivery } from '../ports';
import type { OrderRecord } from '../record';
import { ending, settleDelivery } from '../settle-delivery';
import { moveOrder } from '../store/move-order';
import { nextAttempt, type Step, type Tools } from './job';

/** How long a merchant that cannot be reached is tried, milliseconds. Mandates last as long. */
const patienceMs = 600_000;

/** Sends the mandates of an authorised order; what the merchant says of them moves it on. */
export const deliver: Step = async (order, tools, { attempts }) => {
  if (order.state !== 'authorized') return 'done';
  const delivery = await sendMandates(order, tools);
  faultPoint('deliver.called');
  const at = tools.now();
  if (delivery.kind !== 'unreachable') {
    await inTransaction((tx) => settleDelivery(tx, { order, delivery, at }));
    return 'done';
  }
  const giveUpAt = order.updatedAt.getTime() + patienceMs;
  if (at.getTime() >= giveUpAt) return giveUp(order, at);
  return { again: new Date(Math.min(nextAttempt(attempts, at).getTime(), giveUpAt)) };
};

/** Ends an order whose merchant has the mandates and said nothing in time. */
export const watchDelivery: Step = async (order, { now }) => {
  if (order.state !== 'mandate_delivered') return 'done';
  return giveUp(order, now());
};

async function sendMandates(order: OrderRecord, { ports, now, signal }: Tools): Promise<Delivery> {
  try {
    return await ports.deliver(order, { now: now(), signal });
  } catch (error) {
    log.warn('payments.deliver_failed', { orderId: order.id, ...errorFields(error) });
    return { kind: 'unreachable' };
  }
}

async function giveUp({ id, state: from, version }: OrderRecord, at: Date): Promise<'done'> {
  const step = { id, from, version, to: 'delivery_timeout', code: 'merchant_silent', at } as const;
  await inTransaction((tx) => moveOrder(tx, { ...step, outbox: ending(at) }));
  return 'done';
}
