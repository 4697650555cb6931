'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import type { OrderView, ReceiptView } from '@/lib/payments/schema';
import { readReceipt } from '../../../../lib/protocol/ap2/read-receipt';
import { isObject, type JsonObject, type JsonValue, nonEmptyString } from '../../../../lib/protocol/json';
import { useFormatMoney } from '../../../payments/offers/money';
import { phaseOf, TestBadge } from '../../../payments/offers/order-phase';
import { useOrdersOfTask, useReceipt } from '../../../payments/offers/use-orders';
import { orderPath } from '../../../routes';
import { Badge } from '../../../ui/display/badge';
import { CardFrame, FactList } from '../card-frame';
import { decodeBase64 } from '../read-file';

export interface ReceiptCardProps {
  value: JsonValue;
  /** The task of the receipt; null outside of a conversation. */
  taskId: string | null;
}

/**
 * A receipt. It is verified if it exactly equals one that Parley's server verified or issued, and counts only if its
 * order was charged. An unpaid order is displayed as unpaid, regardless of the agent's claim.
 */
export function ReceiptCard({ value, taskId }: ReceiptCardProps): ReactNode {
  const t = useTranslations('parts.receiptCard');
  const formatMoney = useFormatMoney();
  const claimed = useMemo(() => claimedOrderId(value), [value]);
  const ofTask = useOrdersOfTask(claimed ? null : taskId)?.find(({ receipts }) => receipts.length > 0);
  const receipt = useReceipt(claimed ?? ofTask?.id ?? null);
  const verified = receipt !== undefined && matchesReceipt(value, receipt);
  const facts = useMemo(() => readReceipt(value), [value]);
  const { payment, offer, id: orderId } = receipt?.order ?? {};
  const unpaid = receipt !== undefined && hasEndedUnpaid(receipt.order);
  const counts = verified && !unpaid && (payment?.captured ?? 0) > 0;
  return (
    <CardFrame className="space-y-3 p-4" label={t('title')}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <p className="font-semibold">{t(unpaid ? 'notPaidTitle' : 'title')}</p>
        <Badge tone={counts ? 'good' : 'warn'}>{t(counts ? 'verified' : unpaid ? 'notPaid' : 'notVerified')}</Badge>
      </div>
      {counts && payment && offer ? (
        <p className="flex flex-wrap items-center gap-2">
          {t('paid', { amount: formatMoney({ currency: offer.total.currency, minor: payment.captured }) })}
          {payment.test ? <TestBadge /> : null}
        </p>
      ) : null}
      {unpaid ? <p>{t('nothingCharged')}</p> : null}
      {verified || unpaid ? null : facts.length > 0 ? <FactList facts={facts} /> : <p>{t('signedText')}</p>}
      <p className="text-xs text-muted">
        {unpaid ? null : t(verified ? 'verifiedHint' : 'notVerifiedHint')}{' '}
        {orderId ? (
          <Link className="text-link" href={orderPath(orderId)} prefetch={false}>
            {t('seeOrder')}
          </Link>
        ) : null}
      </p>
    </CardFrame>
  );
}

function hasEndedUnpaid(order: OrderView): boolean {
  const phase = phaseOf(order);
  return phase === 'ended' || phase === 'refused';
}

/**
 * Returns true for a receipt that the server issued or verified, compared by characters or, for an object, by members.
 */
function matchesReceipt(value: JsonValue, { token, object, merchantReceipt }: ReceiptView): boolean {
  const given = tokenOf(value);
  if (given === null) return object !== null && isEqualJson(value, object as JsonObject);
  return given === token || (merchantReceipt?.verified === true && given === merchantReceipt.token);
}

/** Returns the compact serialization of a signed receipt. */
function tokenOf(value: JsonValue): string | null {
  if (isObject(value)) return nonEmptyString(value.receipt) ?? nonEmptyString(value.jwt) ?? null;
  return nonEmptyString(value) ?? null;
}

/** Returns the order id that a Parley receipt claims, which is only a hint for finding the same receipt. */
function claimedOrderId(value: JsonValue): string | null {
  const token = tokenOf(value);
  const content = token === null ? value : payloadOf(token);
  const id = isObject(content) ? nonEmptyString(content.payment_id) : undefined;
  return id?.startsWith('ord_') ? id : null;
}

function payloadOf(token: string): JsonValue {
  const bytes = decodeBase64(token.split('.')[1] ?? '');
  try {
    return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())) as JsonValue;
  } catch {
    return null;
  }
}

function isEqualJson(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqualJson(item, b[index]));
  if (!isObject(a ?? null) || !isObject(b ?? null)) return a === b;
  const [first, second] = [a as JsonObject, b as JsonObject];
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].every((name) => isEqualJson(first[name], second[name]));
}
