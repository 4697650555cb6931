'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { formatMoney } from '../../payments/format-money';
import { OrderWord } from '../../payments/order-badge';
import { useOrdersOfTask } from '../../payments/use-orders';
import { orderPath } from '../../shell/routes';
import { ChevronDownIcon } from '../../ui/icons';
import { Moment } from '../../ui/moment';
import { CardFrame } from './card-frame';
import { MarkedText } from './marked-text';

/** A payment that went to the agent, in one line, told by the order that it pays; its tokens are never shown. */
export function PaymentMandateCard({ taskId }: { taskId: string | null }): ReactNode {
  const paid = useOrdersOfTask(taskId)?.find(({ approval }) => approval !== null);
  if (!paid) {
    return (
      <CardFrame className="px-4 py-2.5" label="Payment mandate">
        A payment mandate that belongs to no payment of yours. Nothing was charged for it.
      </CardFrame>
    );
  }
  return (
    <CardFrame label="Payment mandate">
      <details>
        <summary className="bare-summary flex min-h-11 items-center gap-2 px-4 py-2">
          <ChevronDownIcon className="chevron shrink-0" size={16} />
          <span className="min-w-0 [overflow-wrap:anywhere]">Payment sent: {amountOf(paid)}</span>
        </summary>
        <dl className="grid gap-x-4 gap-y-1.5 border-t border-line px-4 py-3 sm:grid-cols-[8rem_1fr]">
          <dt className="text-muted">Paid to</dt>
          <dd>
            <MarkedText text={paid.offer?.merchantName ?? paid.agent.name} />
          </dd>
          <dt className="text-muted">Approved</dt>
          <dd>{paid.approval ? <Moment at={paid.approval.at} /> : null}</dd>
          <dt className="text-muted">Order</dt>
          <dd>
            <Link className="text-link" href={orderPath(paid.id)} prefetch={false}>
              {paid.id}
            </Link>
            , <OrderWord order={paid} />
          </dd>
        </dl>
      </details>
    </CardFrame>
  );
}

function amountOf({ offer }: OrderView): string {
  return offer ? formatMoney(offer.total) : 'amount unknown';
}
