import { inTransaction, type Tx } from '../../platform/db/tx';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import { isIn, unconfirmedStates } from '../schema-states';
import { moveOrder } from '../store/move-order';

/**
 * Applies the merchant's response to the mandates to the state of an order, in the caller's transaction. A confirmed
 * order will be captured, and the hold of a rejected order will be released. An order whose merchant has not decided
 * yet waits until the time in the response. Returns false and writes nothing if the merchant is unreachable, if the
 * order awaits no response or already waits, or if it has changed.
 */
export async function applyMerchantReply(
  tx: Tx,
  { order, delivery, at }: { order: OrderRecord; delivery: DeliveryResult; at: Date },
): Promise<boolean> {
  if (!isIn(order, unconfirmedStates)) return false;
  const { id, state: from, version } = order;
  const step = { id, from, version, at };
  switch (delivery.kind) {
    case 'confirmed': {
      const { merchantOrderId } = delivery;
      const set = merchantOrderId === undefined ? {} : { merchantOrderId };
      return moveOrder(tx, { ...step, to: 'merchant_confirmed', set, outbox: [{ kind: 'capture', dueAt: at }] });
    }
    case 'rejected':
      return moveOrder(tx, { ...step, to: 'merchant_rejected', code: delivery.code, outbox: releaseSteps(at) });
    case 'waiting': {
      if (from === 'mandate_delivered') return false;
      const outbox = [{ kind: 'watch-delivery' as const, dueAt: delivery.until }];
      return moveOrder(tx, { ...step, to: 'mandate_delivered', outbox });
    }
    case 'unreachable':
      return false;
  }
}

/** Cancels an unconfirmed order whose hold has lapsed or is about to, or whose task has ended. */
export async function cancelHeldOrder(
  { id, state: from, version }: OrderRecord,
  code: string,
  at: Date,
): Promise<void> {
  await inTransaction((tx) => moveOrder(tx, { id, from, version, to: 'canceled', code, at, outbox: releaseSteps(at) }));
}

/** Returns the jobs of an order that ends after its approval: release the hold, notify both parties. */
export function releaseSteps(at: Date): { kind: 'release' | 'announce'; dueAt: Date; payload: { event: string } }[] {
  return (['release', 'announce'] as const).map((kind) => ({ kind, dueAt: at, payload: { event: 'ended' } }));
}
