'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderDetail, ReceiptView } from '@/lib/payments/schema';
import { agentPath, conversationPath, orderPath } from '../routes';
import { Alert } from '../ui/display/alert';
import { Card } from '../ui/display/card';
import { UntrustedText } from '../ui/display/untrusted-text';
import { OfferChecks } from './offer-checks';
import { OfferExpiry } from './offer-expiry';
import { OfferLines } from './offer-lines';
import { OrderBadge, TestBadge } from './order-badge';
import { OrderEvidence } from './order-evidence';
import { OrderHistory } from './order-history';
import { OrderMoney } from './order-money';
import { isDeclined, phaseOf, reasonOf } from './order-phase';
import { PayOrder } from './pay-order';
import { RefundRequest } from './refund-request';
import { NewStandingLink } from './standing/new-standing-link';
import { useCountdown } from './use-countdown';
import { usePageRefresh } from './use-page-refresh';

export interface OrderScreenProps {
  detail: OrderDetail;
  receipt: ReceiptView;
}

/** One order: items, amounts, history and evidence. Refreshes while the order is in progress. */
export function OrderScreen({ detail: { order, steps }, receipt }: OrderScreenProps): ReactNode {
  const t = useTranslations('payments.orderScreen');
  const tReason = useTranslations('payments.orderReason');
  const phase = phaseOf(order);
  const refresh = usePageRefresh(phase === 'processing' || phase === 'action' || order.refund?.state === 'approved');
  return (
    <div className="space-y-10">
      <Card className="space-y-5 p-5 sm:p-7 print:border-0 print:p-0 print:shadow-none">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <h2 className="text-xl font-semibold">
              <UntrustedText text={order.offer?.merchantName ?? t('nameless')} />
            </h2>
            <p className="text-sm text-muted">
              <BoughtThrough order={order} />
            </p>
          </div>
          <span className="flex flex-wrap gap-2">
            <OrderBadge order={order} />
            {order.payment?.test ? <TestBadge /> : null}
          </span>
        </div>
        {phase === 'refused' || phase === 'ended' ? (
          <Alert tone={isDeclined(order) ? 'info' : 'warn'}>{reasonOf(order, tReason)}</Alert>
        ) : null}
        {order.offer ? <OfferLines offer={order.offer} /> : null}
        {phase === 'open' && order.offer?.expiresAt ? <OpenUntil at={order.offer.expiresAt} /> : null}
        <OrderMoney order={order} />
        <div className="print:hidden">
          <OfferChecks checks={order.checks} />
        </div>
        <NewStandingLink order={order} />
        {phase === 'paid' ? null : <PayOrder onChange={refresh} order={order} path={orderPath(order.id)} />}
      </Card>
      <OrderHistory steps={steps} />
      <OrderEvidence order={order} receipt={receipt} />
      {phase === 'paid' ? <RefundRequest onChange={refresh} order={order} /> : null}
    </div>
  );
}

/** The time until which an open offer can be paid, with the remaining time. */
function OpenUntil({ at }: { at: string }): ReactNode {
  const expiresAt = Date.parse(at);
  return <OfferExpiry expiresAt={expiresAt} now={useCountdown(expiresAt)} />;
}

function BoughtThrough({ order: { agent, conversationId } }: Pick<OrderDetail, 'order'>): ReactNode {
  const t = useTranslations('payments.orderScreen');
  return t.rich('boughtThrough', {
    agent: () => (
      <Link className="text-link" href={agentPath(agent.slug)} prefetch={false}>
        <UntrustedText text={agent.name} />
      </Link>
    ),
    conversation: (chunks) => (conversationId ? <span className="print:hidden">{chunks}</span> : null),
    link: (chunks) =>
      conversationId ? (
        <Link className="text-link" href={conversationPath(conversationId)} prefetch={false}>
          {chunks}
        </Link>
      ) : null,
  });
}
