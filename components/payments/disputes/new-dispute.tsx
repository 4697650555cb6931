'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_DISPUTE_TEXT } from '@/lib/payments/limits';
import { DISPUTE_REASONS, type DisputeReason } from '@/lib/payments/schema-disputes';
import { toDecimalText } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Select, Textarea } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { disputePath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { parseMoney, useFormatMoney } from '../offers/money';
import { FileField, useFiles } from './file-field';

interface NewDisputeProps {
  kind: 'order' | 'charge';
  saleId: string;
  currency: string;
  /** What is not refunded yet, minor units. */
  left: number;
  /** The reason that is selected first. */
  reason: DisputeReason | undefined;
  /** The reasons that contradict an acceptance. */
  closedReasons: readonly DisputeReason[];
}

/** The form with which a buyer disputes what they paid. */
export function NewDispute({ kind, saleId, currency, left, reason, closedReasons }: NewDisputeProps): ReactNode {
  const t = useTranslations('payments.newDispute');
  const tReason = useTranslations('payments.disputeList');
  const formatMoney = useFormatMoney();
  const router = useRouter();
  const chosen = useFiles();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/disputes',
    check({ wanted = '', text = '' }): FieldErrors {
      const minor = parseMoney(wanted, currency);
      const isValid = minor !== null && minor > 0 && minor <= left;
      return {
        ...(isValid ? {} : { wanted: t('badAmount', { most: formatMoney({ currency, minor: left }) }) }),
        ...(text.trim() === '' ? { text: t('textMissing') } : {}),
      };
    },
    toBody: ({ reason: chosenReason, wanted = '', text }) => ({
      ...{ kind, saleId, reason: chosenReason, text, files: chosen.files },
      wanted: parseMoney(wanted, currency) ?? 0,
    }),
    onDone(body) {
      router.push(disputePath((body as { id: string }).id));
      return 'leaving';
    },
  });
  return (
    <form {...form} className="max-w-xl space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.reason} id="dispute-reason" label={t('reason')} required>
        {(control) => (
          <Select {...control} className="w-full" defaultValue={reason} name="reason">
            {DISPUTE_REASONS.filter((each) => !closedReasons.includes(each)).map((each) => (
              <option key={each} value={each}>
                {tReason(`reasons.${each}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        error={fieldErrors.wanted}
        hint={t('wantedHint', { most: formatMoney({ currency, minor: left }) })}
        id="dispute-wanted"
        label={t('wanted', { currency })}
        required
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            defaultValue={toDecimalText({ currency, minor: left })}
            inputMode="decimal"
            name="wanted"
          />
        )}
      </Field>
      <Field error={fieldErrors.text} hint={t('textHint')} id="dispute-text" label={t('text')} required>
        {(control) => <Textarea {...control} maxLength={MAX_DISPUTE_TEXT} name="text" rows={6} />}
      </Field>
      <FileField chosen={chosen} id="dispute-files" />
      <Button disabled={chosen.isRefused} pending={pending} tone="primary" type="submit">
        {t('send')}
      </Button>
    </form>
  );
}
