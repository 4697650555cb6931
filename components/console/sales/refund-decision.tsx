'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { RefundDecision as Decision, SaleView } from '@/lib/payments/schema';
import { callApi } from '../../forms/call-api';
import { AmountField, useAmount } from '../../payments/offers/amount-field';
import { useFormatMoney } from '../../payments/offers/money';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Dialog } from '../../ui/overlays/dialog';
import { useSuccess } from '../../ui/overlays/toast';

/** A refund's state, and the seller's options: refund, or refuse the request. */
export function RefundDecision({ sale }: { sale: SaleView }): ReactNode {
  const t = useTranslations('console.refundDecision');
  const formatMoney = useFormatMoney();
  const { refund, currency } = sale;
  const left = sale.gross - sale.refunded;
  const canGive = (sale.state === 'captured' || sale.state === 'partially_refunded') && left > 0;
  return (
    <div className="space-y-2">
      {refund ? (
        <p className="[overflow-wrap:anywhere]">
          {t(`states.${refund.state}`, { amount: formatMoney({ currency, minor: refund.amount }) })}
          <span className="block text-muted">{t('reason', { reason: refund.reason })}</span>
        </p>
      ) : null}
      {canGive && refund?.state !== 'approved' ? <DecideDialog left={left} sale={sale} /> : null}
      {!refund && !canGive ? <span className="text-muted">{t('none')}</span> : null}
    </div>
  );
}

function DecideDialog({ sale, left }: { sale: SaleView; left: number }): ReactNode {
  const t = useTranslations('console.refundDecision');
  const formatMoney = useFormatMoney();
  const succeed = useSuccess();
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState<'give' | 'refuse' | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { currency, refund } = sale;
  const asked = refund?.state === 'requested';
  const amount = useAmount({ currency, start: asked ? refund.amount : left, least: 1, most: left });
  const { minor } = amount;

  async function decide(decision: Decision): Promise<void> {
    setBusy(decision.give ? 'give' : 'refuse');
    setProblem(null);
    const response = await callApi('POST', `/api/sales/${encodeURIComponent(sale.id)}/refund`, decision);
    setBusy(null);
    if (!response.ok) return setProblem(response.problem.title);
    setOpen(false);
    succeed(t(decision.give ? 'given' : 'refused'));
  }

  return (
    <Dialog
      description={t(asked ? 'askedLead' : 'lead')}
      footer={
        <>
          {asked ? (
            <Button onClick={() => void decide({ give: false })} pending={busy === 'refuse'}>
              {t('refuse')}
            </Button>
          ) : null}
          <Button
            disabled={minor === null}
            onClick={() => void decide({ give: true, amount: minor ?? 0 })}
            pending={busy === 'give'}
            tone="primary"
          >
            {minor === null ? t('refund') : t('refundAmount', { amount: formatMoney({ currency, minor }) })}
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title={t('refund')}
      trigger={<Button size="sm">{t(asked ? 'decide' : 'refund')}</Button>}
    >
      <div className="space-y-4 text-sm">
        {problem ? (
          <Alert live="assertive" tone="danger">
            {problem}
          </Alert>
        ) : null}
        {asked ? <p>{t('theyWrote', { reason: refund.reason })}</p> : null}
        <AmountField
          amount={amount}
          error={t('badAmount', { most: formatMoney({ currency, minor: left }) })}
          id={`refund-${sale.id}`}
          label={t('amount', { currency })}
        />
      </div>
    </Dialog>
  );
}
