'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_REFUND_REASON_LENGTH } from '@/lib/payments/limits';
import type { Earning } from '@/lib/payments/schema-income';
import { toDecimalText } from '../../../lib/protocol/ap2/money';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { Input } from '../../forms/inputs';
import { parseMoney, useFormatMoney } from '../../payments/offers/money';
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
  const [amount, setAmount] = useState(toDecimalText({ currency, minor: left }));
  const [reason, setReason] = useState('');
  const minor = parseMoney(amount, currency);
  const isValid = minor !== null && minor > 0 && minor <= left;

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
        <Button disabled={!isValid} onClick={() => void refund()} pending={pending} tone="primary">
          {isValid ? t('refundAmount', { amount: formatMoney({ currency, minor }) }) : t('refund')}
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
        <Field
          error={isValid ? null : t('badAmount', { most: formatMoney({ currency, minor: left }) })}
          id={`refund-${id}`}
          label={t('amount', { currency })}
          required
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              inputMode="decimal"
              onChange={(event) => setAmount(event.target.value)}
              value={amount}
            />
          )}
        </Field>
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
