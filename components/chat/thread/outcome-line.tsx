'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import type { Part } from '../../../lib/protocol/a2a/core/model';
import { detectAp2Object } from '../../../lib/protocol/ap2/detect-ap2-object';
import { isObject, type JsonValue, nonEmptyString } from '../../../lib/protocol/json';
import { type FormatMoney, useFormatMoney } from '../../payments/offers/money';
import { isDeclined, phaseOf } from '../../payments/offers/order-phase';
import { useOrderById, useOrdersOfTask } from '../../payments/offers/use-orders';
import { orderPath } from '../../routes';
import { UntrustedText } from '../../ui/display/untrusted-text';

export interface OutcomeLineProps {
  parts: Part[];
  taskId: string;
  /** Displayed if the message is not about a payment. */
  fallback: ReactNode;
}

/** The user's action on a payment, as one system line. Derived from the order, never from the message. */
export function OutcomeLine({ parts, taskId, fallback }: OutcomeLineProps): ReactNode {
  const outcome = readOutcome(parts);
  if (!outcome) return <article className="flex flex-col items-end">{fallback}</article>;
  return (
    <p className="text-center text-sm text-muted [overflow-wrap:anywhere]">
      <OutcomeText outcome={outcome} taskId={taskId} />
    </p>
  );
}

function OutcomeText({ outcome: { kind, orderId }, taskId }: { outcome: Outcome; taskId: string }): ReactNode {
  const t = useTranslations('payments.outcomeLine');
  const formatMoney = useFormatMoney();
  const orderById = useOrderById(orderId);
  const ordersOfTask = useOrdersOfTask(orderId === null && kind === 'mandate' ? taskId : null);
  const order = orderById ?? ordersOfTask?.find(({ approval }) => approval !== null);
  const known = order && { ...order, amount: order.offer ? formatMoney(order.offer.total) : '' };
  const link = (chunks: ReactNode): ReactNode =>
    order ? (
      <Link className="text-link" href={orderPath(order.id)} prefetch={false}>
        {chunks}
      </Link>
    ) : (
      chunks
    );
  const payee = (): ReactNode => <UntrustedText text={order?.offer?.merchantName ?? order?.agent.name ?? ''} />;
  if (kind === 'declined') return order && isDeclined(order) ? t.rich('declined', { payee }) : t('notDeclined');
  if (kind === 'mandate') {
    return known?.approval ? t.rich('approved', { amount: known.amount, payee, link }) : t('approvedUnknown');
  }
  if (!known) return t('receiptSent');
  return t.rich(textKeyOf(known), { ...amountsOf(known, formatMoney), link });
}

/** Returns the key of the text. Only a charged order is called paid. */
function textKeyOf(order: OrderView): 'paid' | 'paidTest' | 'refunded' | 'processing' | 'notPaid' {
  const phase = phaseOf(order);
  if (phase === 'processing' || phase === 'action') return 'processing';
  if (phase !== 'paid' || !order.payment || order.payment.captured === 0) return 'notPaid';
  if (order.payment.refunded > 0) return 'refunded';
  return order.payment.test ? 'paidTest' : 'paid';
}

function amountsOf({ offer, payment }: OrderView, formatMoney: FormatMoney): { amount: string; refunded: string } {
  const currency = offer?.total.currency ?? '';
  const captured = payment?.captured || (offer?.total.minor ?? 0);
  return {
    amount: currency ? formatMoney({ currency, minor: captured }) : '',
    refunded: currency ? formatMoney({ currency, minor: payment?.refunded ?? 0 }) : '',
  };
}

/** The subject of a message that Parley sent on behalf of the user, and its order. */
export interface Outcome {
  kind: 'declined' | 'mandate' | 'receipt';
  orderId: string | null;
}

/**
 * Reads the outcome; null for data that is not about a payment. The content is only a hint: the order determines the
 * display.
 */
export function readOutcome(parts: readonly Part[]): Outcome | null {
  for (const part of parts) {
    if (part.kind === 'text' && part.metadata?.['parley.outcome'] === 'declined') {
      return { kind: 'declined', orderId: orderIdOf(part.metadata['parley.order']) };
    }
  }
  const found = parts.map((part) => (part.kind === 'data' ? detectAp2Object(part.data) : null));
  if (found.some((object) => object?.kind !== 'payment-mandate' && object?.kind !== 'receipt')) return null;
  const receipts = found.filter((object) => object?.kind === 'receipt');
  const foundOrderId = found.map((object) => orderIdIn(object?.value ?? null)).find((id) => id !== null) ?? null;
  return { kind: receipts.length > 0 ? 'receipt' : 'mandate', orderId: foundOrderId };
}

/**
 * Returns the order id: in a receipt, the id of the payment; in a mandate, from the details of the payment response.
 */
function orderIdIn(value: JsonValue): string | null {
  if (!isObject(value)) return null;
  const contents = isObject(value.payment_mandate_contents) ? value.payment_mandate_contents : value;
  const response = isObject(contents.payment_response) ? contents.payment_response : {};
  const details = isObject(response.details) ? response.details : {};
  return orderIdOf(value.payment_id) ?? orderIdOf(details.order_id);
}

function orderIdOf(value: JsonValue | undefined): string | null {
  const id = nonEmptyString(value);
  return id?.startsWith('ord_') ? id : null;
}
