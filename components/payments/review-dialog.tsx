'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OrderView } from '@/lib/payments/schema';
import { Button } from '../ui/controls/button';
import { Skeleton } from '../ui/controls/loading';
import { Alert } from '../ui/display/alert';
import { Dialog } from '../ui/overlays/dialog';
import { PaymentResult } from './payment-result';
import { ReviewForm } from './review-form';
import { usePayment } from './use-payment';

export interface ReviewDialogProps {
  order: OrderView;
  onChange: (order: OrderView) => void;
  onClose: () => void;
  /** Return path, a path of this site that opens this dialog again. */
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
