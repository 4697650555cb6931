import { env } from '../../platform/runtime/env';
import { type ReceiptFacts, signPaymentReceipt, toPaymentReceipt } from '../../protocol/ap2/write-mandates';
import { paymentSigner } from '../../tokens/keys/payment-signer';
import type { OrderOutcome } from '../ports';
import type { OrderRecord } from '../record';
import type { Money } from '../schema';
import { endedUnpaidStates } from '../schema-states';
import {
  findMandates,
  findReceipt,
  findRefunds,
  type StoredMandate,
  type StoredReceipt,
  saveReceipt,
} from '../store/order-details';
import { findOrderById } from '../store/orders';

/**
 * Signs the missing receipts of an order: for its payment, its refunds, or its end without a sale. Returns all
 * receipts. Their claims come from the stored order. An order without mandates has no receipts, because a receipt
 * references a mandate.
 */
export async function signReceipts(orderId: string, now: Date): Promise<StoredReceipt[]> {
  const order = await findOrderById(orderId);
  const mandate = (await findMandates(orderId))?.mandates.find(({ kind }) => kind !== 'checkout-0.2');
  if (!order || !mandate) return [];
  const due = await dueReceipts(order);
  return Promise.all(due.map((receipt) => signOnce(receipt, { order, mandate, now })));
}

interface DueReceipt {
  id: string;
  kind: 'parley' | 'refund';
  paymentId: string;
  processorId: string;
  amount: Money;
  error: ReceiptFacts['error'];
}

/**
 * Returns the receipts that are due. Their ids are derived from their subjects, so that each receipt is signed once.
 */
async function dueReceipts(order: OrderRecord): Promise<DueReceipt[]> {
  const { id, currency, amount, captured, paymentId, code } = order;
  const payment = { id: receiptIdOf(id), kind: 'parley', paymentId: id, processorId: paymentId ?? id } as const;
  if (captured === 0) {
    if (!endedUnpaidStates.includes(order.state)) return [];
    const error = { code: code ?? order.state, text: 'The payment failed. Nothing was charged.' };
    return [{ ...payment, amount: { currency, minor: amount }, error }];
  }
  const refundReceipts = (await findRefunds([id])).flatMap((refund): DueReceipt[] => {
    const returned = refund.state === 'failed' && refund.paymentId !== null;
    if (refund.state !== 'paid' && !returned) return [];
    const about = {
      kind: 'refund' as const,
      paymentId: refund.id,
      processorId: refund.paymentId ?? refund.id,
      amount: { currency, minor: refund.amount },
    };
    const error = { code: 'refund_failed', text: 'The refund failed, and the amount was returned to the seller.' };
    if (returned) return [{ ...about, id: returnedIdOf(refund.id), error }];
    return [{ ...about, id: receiptIdOf(refund.id), error: null }];
  });
  return [{ ...payment, amount: { currency, minor: captured }, error: null }, ...refundReceipts];
}

function receiptIdOf(id: string): string {
  return `rcp_${id.slice(id.indexOf('_') + 1)}`;
}

function returnedIdOf(refundId: string): string {
  return `rcp_returned_${refundId.slice(refundId.indexOf('_') + 1)}`;
}

/** Returns the id of the receipt for a refund outcome; null for the payment's receipt. */
export function receiptIdOfOutcome(outcome: OrderOutcome): string | null {
  if (outcome.event === 'refunded') return receiptIdOf(outcome.refund.id);
  return outcome.event === 'refund-failed' ? returnedIdOf(outcome.refund.id) : null;
}

async function signOnce(
  due: DueReceipt,
  { order, mandate, now }: { order: OrderRecord; mandate: StoredMandate; now: Date },
): Promise<StoredReceipt> {
  const known = await findReceipt(due.id);
  if (known) return known;
  const facts: ReceiptFacts = {
    issuer: env().APP_URL,
    reference: mandate.reference,
    mandateId: mandate.id,
    paymentId: due.paymentId,
    amount: due.amount,
    merchantConfirmationId: order.merchantOrderId,
    processorConfirmationId: due.processorId,
    error: due.error,
    now,
  };
  const { sign } = await paymentSigner(now);
  const token = await signPaymentReceipt(facts, sign);
  const { id, kind } = due;
  await saveReceipt({ id, orderId: order.id, kind, token, content: toPaymentReceipt(facts), createdAt: now });
  const saved = await findReceipt(id);
  if (!saved) throw new Error('a receipt that was just kept is gone');
  return saved;
}
