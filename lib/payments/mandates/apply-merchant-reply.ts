import { inTransaction, type Tx } from '../../platform/tx';
import type { DeliveryResult } from '../ports';
import type { OrderRecord } from '../record';
import { moveOrder } from '../store/move-order';

/**
 * Moves an order on by what its merchant made of the mandates, in the transaction of the caller: confirmed, its money is
 * captured; rejected, it is released. Also for what a merchant says later, in an event of the task. False when the order
 * waits for no answer, or is no longer what was looked at; then nothing is written.
 */
export async function applyMerchantReply(
  tx: Tx,
  { order, delivery, at }: { order: OrderRecord; delivery: DeliveryResult; at: Date },
): Promise<boolean> {
  const { id, state: from, version } = order;
  if (from !== 'authorized' && from !== 'mandate_delivered') return false;
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

/** Ends an order that its merchant has not confirmed: the hold is gone or about to lapse, or its task ended. */
export async function cancelHeldOrder(
  { id, state: from, version }: OrderRecord,
  code: string,
  at: Date,
): Promise<void> {
  await inTransaction((tx) => moveOrder(tx, { id, from, version, to: 'canceled', code, at, outbox: releaseSteps(at) }));
}

/** What is to be done when an order ends after its approval: its money is let go, and both sides hear of it. */
export function releaseSteps(at: Date): { kind: 'release' | 'announce'; dueAt: Date; payload: { event: string } }[] {
  return (['release', 'announce'] as const).map((kind) => ({ kind, dueAt: at, payload: { event: 'ended' } }));
}
