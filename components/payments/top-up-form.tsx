'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { TopUpView } from '@/lib/payments/schema';
import { walletCurrencies } from '../../lib/protocol/ap2/money';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input, Select } from '../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';
import { parseMoney } from './format-money';

/** Tops up the wallet: test credits immediately, real money through the payment processor's page. */
export function TopUpForm({ test }: { test: boolean }): ReactNode {
  const t = useTranslations('payments.topUpForm');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/wallet/top-ups',
    check: (fields): FieldErrors => {
      const fault = faultIn(fields);
      return fault ? { amount: t(fault) } : {};
    },
    toBody: ({ currency = '', amount = '' }) => ({ currency, amount: parseMoney(amount, currency) ?? 0 }),
    onDone(body, sent) {
      const { redirectUrl } = body as TopUpView;
      if (redirectUrl && /^https?:\/\//.test(redirectUrl)) {
        window.location.assign(redirectUrl);
        return 'leaving';
      }
      sent.reset();
      toast({ tone: 'good', text: t(test ? 'testAdded' : 'processing') });
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-4">
      <FormProblem problem={problem} />
      <div className="flex flex-wrap items-end gap-4">
        <Field
          className="w-40"
          error={fieldErrors.amount}
          hint={t('amountHint')}
          id="top-up-amount"
          label={t('amount')}
          required
        >
          {(control) => <Input {...control} autoComplete="off" inputMode="decimal" name="amount" />}
        </Field>
        <Field id="top-up-currency" label={t('currency')} required>
          {(control) => (
            <Select {...control} name="currency">
              {walletCurrencies.map((code) => (
                <option key={code}>{code}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Button pending={pending} tone="primary" type="submit">
        {t(test ? 'addTestCredits' : 'topUp')}
      </Button>
    </form>
  );
}

function faultIn({ amount = '', currency = '' }: Fields): 'badAmount' | 'outOfRange' | null {
  const minor = parseMoney(amount, currency);
  if (minor === null) return 'badAmount';
  return minor < 100 || minor > 100_000 ? 'outOfRange' : null;
}
