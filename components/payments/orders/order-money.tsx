'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_REFUND_REASON_LENGTH } from '@/lib/payments/limits';
import type { OrderView, RefundView } from '@/lib/payments/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { newDisputePath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Alert, type AlertTone } from '../../ui/display/alert';
import { DateTime } from '../../ui/display/date-time';
import { Fact, FactList, Literal } from '../../ui/display/fact-list';
import { toast } from '../../ui/overlays/toast';
import { useFormatMoney } from '../offers/money';

const approvedTexts = {
  passkey: 'approvedPasskey',
  session: 'approvedSession',
  token: 'approvedToken',
  standing: 'approvedStanding',
} as const;

/** Amounts, payment method and date, with the ids to quote. */
export function OrderMoney({ order }: { order: OrderView }): ReactNode {
  const t = useTranslations('payments.orderMoney');
  const formatMoney = useFormatMoney();
  const { payment, approval, offer, merchantOrderId } = order;
  const currency = offer?.total.currency ?? '';
  return (
    <FactList>
      <Fact name={t('order')}>
        <Literal>{order.id}</Literal>
      </Fact>
      {merchantOrderId ? (
        <Fact name={t('atMerchant')}>
          <Literal>{merchantOrderId}</Literal>
        </Fact>
      ) : null}
      {payment ? (
        <>
          <Fact name={t('paidBy')}>
            {payment.test ? t('withTestCredits', { method: t(payment.method) }) : t(payment.method)}
          </Fact>
          <Fact name={t('held')}>{formatMoney({ currency, minor: payment.authorized })}</Fact>
          <Fact name={t('paid')}>{formatMoney({ currency, minor: payment.captured })}</Fact>
          {payment.refunded > 0 ? (
            <Fact name={t('refunded')}>{formatMoney({ currency, minor: payment.refunded })}</Fact>
          ) : null}
        </>
      ) : null}
      {approval ? (
        <Fact name={t('approved')}>
          {t.rich(approvedTexts[approval.method], {
            moment: () => <DateTime at={approval.at} />,
          })}
        </Fact>
      ) : null}
      {offer && offer.address.length > 0 ? <Fact name={t('goesTo')}>{offer.address.join(', ')}</Fact> : null}
      <Fact name={t('begun')}>
        <DateTime at={order.createdAt} />
      </Fact>
    </FactList>
  );
}

interface RefundRequestProps {
  order: OrderView;
  onChange: () => void;
}

const tones: Record<RefundView['state'], AlertTone> = {
  requested: 'info',
  approved: 'good',
  refused: 'warn',
  paid: 'good',
  failed: 'danger',
};

/** Requests a refund, and displays its state. */
export function RefundRequest({ order, onChange }: RefundRequestProps): ReactNode {
  const t = useTranslations('payments.refundRequest');
  const formatMoney = useFormatMoney();
  const { refund, payment, offer, state } = order;
  const left = (payment?.captured ?? 0) - (payment?.refunded ?? 0);
  const isOpen = refund?.state === 'requested' || refund?.state === 'approved';
  const mayAsk = left > 0 && state !== 'refunded' && !isOpen;
  return (
    <section aria-labelledby="refund-title" className="print:hidden">
      <h2 className="text-xl font-semibold" id="refund-title">
        {t('title')}
      </h2>
      <div className="mt-4 max-w-lg space-y-5">
        {refund && offer ? (
          <Alert title={t(`state.${refund.state}`)} tone={tones[refund.state]}>
            {t('youWrote', {
              amount: formatMoney({ currency: offer.total.currency, minor: refund.amount }),
              reason: refund.reason,
            })}
          </Alert>
        ) : null}
        {mayAsk ? <RefundForm onChange={onChange} order={order} /> : null}
        {left > 0 ? (
          <p className="text-sm">
            {t.rich('report', {
              link: (chunks) => (
                <Link className="text-link" href={newDisputePath('order', order.id)} prefetch={false}>
                  {chunks}
                </Link>
              ),
            })}
          </p>
        ) : null}
        {!refund && left === 0 ? <p className="text-sm text-muted">{t('everything')}</p> : null}
      </div>
    </section>
  );
}

function RefundForm({ order, onChange }: RefundRequestProps): ReactNode {
  const t = useTranslations('payments.refundRequest');
  const { form, pending, problem, fieldErrors } = useForm({
    path: `/api/orders/${encodeURIComponent(order.id)}/refund`,
    check: ({ reason }): FieldErrors => (reason?.trim() ? {} : { reason: t('reasonMissing') }),
    toBody: ({ reason }) => ({ reason }),
    onDone() {
      onChange();
      toast({ tone: 'good', text: t('asked') });
      return 'staying';
    },
  });
  return (
    <form {...form} className="space-y-4">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.reason} hint={t('reasonHint')} id="refund-reason" label={t('reason')} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={MAX_REFUND_REASON_LENGTH} name="reason" />}
      </Field>
      <Button pending={pending} type="submit">
        {t('ask')}
      </Button>
    </form>
  );
}
