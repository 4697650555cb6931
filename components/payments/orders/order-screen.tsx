'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useCallback, useEffect } from 'react';
import type { OrderDetail, OrderStepView, OrderView, ReceiptView } from '@/lib/payments/schema';
import { agentPath, conversationPath, newStandingPath, orderPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { PayOrder } from '../checkout/pay-order';
import { AcceptResult } from '../offers/accept-result';
import { TermsOfAcceptance } from '../offers/acceptance';
import { OfferExpiry, useCountdown } from '../offers/offer-expiry';
import { OfferChecks, OfferLines } from '../offers/offer-lines';
import { isDeclined, OrderBadge, phaseOf, reasonOf, TestBadge } from '../offers/order-phase';
import { OrderEvidence } from './order-evidence';
import { OrderMoney, RefundRequest } from './order-money';

interface OrderScreenProps {
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
        {order.offer?.acceptance ? (
          <TermsOfAcceptance acceptance={order.acceptance} terms={order.offer.acceptance}>
            {order.acceptance?.state === 'awaiting' ? (
              <AcceptResult kind="order" name={order.agent.name} saleId={order.id} />
            ) : null}
          </TermsOfAcceptance>
        ) : null}
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

/** The time until which an open offer can be paid, and the remaining time. */
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

const pauseMs = 2_000;

/** Refreshes the page from the server periodically while `moving`. Returns a function that refreshes immediately. */
function usePageRefresh(moving: boolean): () => void {
  const router = useRouter();
  useEffect(() => {
    if (!moving) return;
    const timer = setInterval(() => router.refresh(), pauseMs);
    return () => clearInterval(timer);
  }, [moving, router]);
  return useCallback(() => router.refresh(), [router]);
}

/** An order's state transitions. */
function OrderHistory({ steps }: { steps: OrderStepView[] }): ReactNode {
  const t = useTranslations('payments.orderHistory');
  return (
    <section aria-labelledby="history-title">
      <h2 className="text-xl font-semibold" id="history-title">
        {t('title')}
      </h2>
      <ol className="mt-4 space-y-2 text-sm">
        {withIndex(steps).map(({ item: { state, at }, index }) => (
          <li className="flex flex-wrap justify-between gap-x-6 border-b border-line pb-2" key={index}>
            <span>{t(`step.${state}`)}</span>
            <span className="text-muted tabular-nums">
              <DateTime at={at} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The link from a paid order to the form for a standing approval for its merchant. */
function NewStandingLink({ order }: { order: OrderView }): ReactNode {
  const t = useTranslations('payments.standingForm');
  if (phaseOf(order) !== 'paid' || order.approval?.method === 'standing') return null;
  return (
    <LinkButton className="print:hidden" href={newStandingPath(order.id)} size="sm">
      {t('open')}
    </LinkButton>
  );
}

/** Prints the page. A print style hides all other content. */
export function PrintButton(): ReactNode {
  const t = useTranslations('payments.printButton');
  return (
    <Button className="print:hidden" onClick={() => window.print()}>
      {t('print')}
    </Button>
  );
}
