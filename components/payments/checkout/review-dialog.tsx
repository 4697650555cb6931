'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { orderPath } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Skeleton, Spinner } from '../../ui/controls/loading';
import { Alert } from '../../ui/display/alert';
import { CheckIcon, WarningIcon } from '../../ui/display/icons';
import { announce } from '../../ui/overlays/announcer';
import { Dialog } from '../../ui/overlays/dialog';
import { type FormatMoney, useFormatMoney } from '../offers/money';
import { isDeclined, type OrderPhase, phaseOf, reasonOf, TestBadge } from '../offers/order-phase';
import { hostedPageOf, useHostedPage } from '../offers/use-hosted-page';
import { useOrder } from '../offers/use-orders';
import { ReviewForm } from './review-form';
import { usePayment } from './use-payment';

export interface ReviewDialogProps {
  order: OrderView;
  onChange: (order: OrderView) => void;
  onClose: () => void;
  /** A path of this site that opens this dialog again. */
  returnTo: string;
}

/** The review before a payment, the approval, and its result. */
export function ReviewDialog({ order, onChange, onClose, returnTo }: ReviewDialogProps): ReactNode {
  const t = useTranslations('payments.reviewDialog');
  const payment = usePayment(order.id, onChange);
  const { step } = payment;
  return (
    <Dialog
      description={step.kind === 'review' ? t('description') : undefined}
      onOpenChange={onClose}
      open
      title={t(step.kind === 'result' ? 'result' : 'title')}
    >
      {step.kind === 'loading' ? (
        <div className="space-y-3" role="status">
          <Skeleton className="h-5 w-2/3" />
          <Skeleton className="h-28 w-full" />
          <Skeleton className="h-10 w-full" />
          <span className="sr-only">{t('loading')}</span>
        </div>
      ) : null}
      {step.kind === 'failed' ? (
        <Alert live="assertive" title={t('failed')} tone="danger">
          <p>{step.problem.title}</p>
          <Button className="mt-3" onClick={payment.review} size="sm">
            {t('again')}
          </Button>
        </Alert>
      ) : null}
      {step.kind === 'review' ? (
        <ReviewForm key={step.review.approvalId} payment={payment} returnTo={returnTo} step={step} />
      ) : null}
      {step.kind === 'result' ? <PaymentResult first={step.order} onChange={onChange} onClose={onClose} /> : null}
    </Dialog>
  );
}

export interface PaymentResultProps {
  /** The order right after the approval. */
  first: OrderView;
  onChange: (order: OrderView) => void;
  onClose: () => void;
}

/**
 * The result of an approval. Polls the order until it is settled. Each new state receives the focus and is announced.
 */
export function PaymentResult({ first, onChange, onClose }: PaymentResultProps): ReactNode {
  const t = useTranslations('payments.paymentResult');
  const tReason = useTranslations('payments.orderReason');
  const formatMoney = useFormatMoney();
  const latest = useOrder(first);
  const phase = phaseOf(latest);
  const title = titleOf(latest, { t, formatMoney });
  // Read aloud with the currency's name.
  const spoken = titleOf(latest, { t, formatMoney: (money) => formatMoney(money, 'name') });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => onChange(latest), [latest, onChange]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    announce(spoken);
  }, [spoken]);
  useHostedPage(latest);
  const page = hostedPageOf(latest);

  return (
    <div className="space-y-4 text-sm">
      <div className="flex items-start gap-3">
        <ResultIcon phase={phase} />
        <div className="min-w-0 space-y-1">
          <h3 className="text-base font-semibold outline-none" ref={heading} tabIndex={-1}>
            {title}
          </h3>
          <p className="text-muted">{reasonOf(latest, tReason)}</p>
          {latest.payment?.test ? <TestBadge /> : null}
        </div>
      </div>
      <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-4">
        {page ? (
          <a className="text-link me-auto self-center" href={page}>
            {t('goToPage')}
          </a>
        ) : null}
        <LinkButton href={orderPath(latest.id)}>{t(phase === 'paid' ? 'seeReceipt' : 'seeOrder')}</LinkButton>
        <Button onClick={onClose} tone="primary">
          {t('done')}
        </Button>
      </div>
    </div>
  );
}

function ResultIcon({ phase }: { phase: OrderPhase }): ReactNode {
  if (phase === 'processing') return <Spinner className="mt-0.5 text-accent" />;
  if (phase === 'paid') return <CheckIcon className="mt-0.5 shrink-0 text-good" size={20} />;
  return <WarningIcon className="mt-0.5 shrink-0 text-warn" size={20} />;
}

type ResultTexts = ReturnType<typeof useTranslations<'payments.paymentResult'>>;

function titleOf(order: OrderView, { t, formatMoney }: { t: ResultTexts; formatMoney: FormatMoney }): string {
  const total = order.offer && formatMoney(order.offer.total);
  const payee = order.offer?.merchantName ?? order.agent.name;
  switch (phaseOf(order)) {
    case 'paid':
      return total === null ? t('paidTotal', { payee }) : t('paid', { total, payee });
    case 'processing':
      return total === null ? t('processingTotal', { payee }) : t('processing', { total, payee });
    case 'action':
      return t('action');
    case 'ended':
      return t('ended');
    case 'refused':
      return t(isDeclined(order) ? 'declined' : 'refused');
    case 'open':
      return t('open');
  }
}
