'use client';

import Link from 'next/link';
import { type ReactNode, useMemo } from 'react';
import { readReceipt } from '../../../lib/protocol/ap2/read-receipt';
import { isObject, type JsonValue, textOf } from '../../../lib/protocol/json';
import { formatMoney } from '../../payments/format-money';
import { TestBadge } from '../../payments/order-badge';
import { useOrdersOfTask, useReceipt } from '../../payments/use-orders';
import { orderPath } from '../../shell/routes';
import { Badge } from '../../ui/badge';
import { CardFrame } from './card-frame';
import { FactList } from './fact-list';

export interface ReceiptCardProps {
  value: JsonValue;
  /** The task that it came in; null for what is outside of a conversation. */
  taskId: string | null;
}

/** A receipt: verified when it is, to the letter, one whose signature Parley's server has checked or made. */
export function ReceiptCard({ value, taskId }: ReceiptCardProps): ReactNode {
  const order = useOrdersOfTask(taskId)?.find(({ receipts }) => receipts.length > 0);
  const receipt = useReceipt(order?.id ?? null);
  const token = tokenOf(value);
  const known = [receipt?.token, receipt?.merchantReceipt?.verified ? receipt.merchantReceipt.token : null];
  const verified = token !== null && known.includes(token);
  const facts = useMemo(() => readReceipt(value), [value]);
  const { payment, offer } = order ?? {};
  return (
    <CardFrame className="space-y-3 p-4" label="Receipt">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <p className="font-semibold">Receipt</p>
        <Badge tone={verified ? 'good' : 'warn'}>{verified ? 'Verified' : 'Not verified'}</Badge>
      </div>
      {verified && payment && offer ? (
        <p className="flex flex-wrap items-center gap-2">
          {formatMoney({ currency: offer.total.currency, minor: payment.captured })} paid
          {payment.test ? <TestBadge /> : null}
        </p>
      ) : null}
      {verified ? null : facts.length > 0 ? <FactList facts={facts} /> : <p>A signed text.</p>}
      <p className="text-xs text-muted">
        {verified
          ? 'The signature was checked by Parley, and it belongs to your order.'
          : 'Provided by the agent, not verified.'}{' '}
        {order ? (
          <Link className="text-link" href={orderPath(order.id)} prefetch={false}>
            See the order
          </Link>
        ) : null}
      </p>
    </CardFrame>
  );
}

/** The compact serialisation of a signed receipt. */
function tokenOf(value: JsonValue): string | null {
  if (isObject(value)) return textOf(value.receipt) ?? textOf(value.jwt) ?? null;
  return textOf(value) ?? null;
}
