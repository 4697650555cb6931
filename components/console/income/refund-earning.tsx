'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_REFUND_REASON_LENGTH } from '@/lib/payments/limits';
import type { Earning } from '@/lib/payments/schema-income';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { Input } from '../../forms/inputs';
import { AmountField, useAmount } from '../../payments/offers/amount-field';
import { useFormatMoney } from '../../payments/offers/money';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Dialog } from '../../ui/overlays/dialog';
import { useSuccess } from '../../ui/overlays/toast';

/** Refunds a part of a sale, or all that is left. */
export function RefundEarning({ earning }: { earning: Earning }): ReactNode {
  const t = useTranslations('console.refundEarning');
  const formatMoney = useFormatMoney();
  const succeed = useSuccess();
  const { id, currency, gross, refunded, agent } = earning;
  const left = gross - refunded;
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const amount = useAmount({ currency, start: left, least: 1, most: left });
  const [reason, setReason] = useState('');
  const { minor } = amount;

  async function refund(): Promise<void> {
    setPending(true);
    setProblem(null);
    const words = reason.trim();
    const body = { amount: minor, refunded, ...(words && { reason: words }) };
    const response = await callApi('POST', `/api/earnings/${encodeURIComponent(id)}/refund`, body);
    setPending(false);
    if (!response.ok) return setProblem(response.problem.title);
    setOpen(false);
    succeed(t('given'));
  }

  return (
    <Dialog
      description={t('lead')}
      footer={
        <Button disabled={minor === null} onClick={() => void refund()} pending={pending} tone="primary">
          {minor === null ? t('refund') : t('refundAmount', { amount: formatMoney({ currency, minor }) })}
        </Button>
      }
      onOpenChange={setOpen}
      open={open}
      title={t('refund')}
      trigger={
        <Button aria-label={t('refundOf', { name: agent.name })} size="sm">
          {t('refund')}
        </Button>
      }
    >
      <div className="space-y-4 text-sm">
        {problem ? (
          <Alert live="assertive" tone="danger">
            {problem}
          </Alert>
        ) : null}
        <AmountField
          amount={amount}
          error={t('badAmount', { most: formatMoney({ currency, minor: left }) })}
          id={`refund-${id}`}
          label={t('amount', { currency })}
        />
        <Field id={`refund-reason-${id}`} label={t('reason')}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={MAX_REFUND_REASON_LENGTH}
              onChange={(event) => setReason(event.target.value)}
              value={reason}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
