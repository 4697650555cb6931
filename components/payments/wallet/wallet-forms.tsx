'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { TopUpView } from '@/lib/payments/schema';
import type { PaymentSettings } from '@/lib/payments/schema-approvals';
import { walletCurrencies } from '../../../lib/protocol/ap2/money';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input, Select } from '../../forms/inputs';
import { Reauthenticate } from '../../forms/reauthenticate';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { paymentSettings } from '../../routes';
import { Button } from '../../ui/controls/button';
import { toast, useSuccess } from '../../ui/overlays/toast';
import { parseMoney } from '../offers/money';

interface LimitFormProps {
  settings: PaymentSettings;
  hasPasskey: boolean;
}

/** The amount is stored in hundredths, for any currency. */
const likeEuros = 'EUR';

/** The amount above which a payment requires a passkey. */
export function LimitForm({ settings: { passkeyAbove }, hasPasskey }: LimitFormProps): ReactNode {
  const t = useTranslations('payments.limitForm');
  const [limited, setLimited] = useState(passkeyAbove !== null);
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path: '/api/payments/settings',
    check: ({ above }: Fields): FieldErrors =>
      above === undefined || parseMoney(above, likeEuros) !== null ? {} : { above: t('badAmount') },
    toBody: ({ above }) => ({ passkeyAbove: above === undefined ? null : parseMoney(above, likeEuros) }),
    onDone() {
      toast({ tone: 'good', text: t('saved') });
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-4">
      {problem?.code === 'sign_in_again' ? (
        <Reauthenticate returnTo={paymentSettings('passkey-limit')} what="changeLimit" />
      ) : (
        <FormProblem problem={problem} />
      )}
      <Checkbox
        checked={limited}
        hint={t(hasPasskey ? 'withPasskey' : 'withoutPasskey')}
        label={t('always')}
        name="limited"
        onChange={(event) => setLimited(event.target.checked)}
      />
      {limited ? (
        <Field
          className="w-56"
          error={fieldErrors.above ?? fieldErrors.passkeyAbove}
          hint={t('aboveHint')}
          id="passkey-above"
          label={t('above')}
          required
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              defaultValue={((passkeyAbove ?? 2_500) / 100).toFixed(2)}
              inputMode="decimal"
              name="above"
            />
          )}
        </Field>
      ) : null}
      <Button pending={pending} type="submit">
        {t('save')}
      </Button>
    </form>
  );
}

/** Tops up the wallet: test credits immediately, real money through the payment processor's page. */
export function TopUpForm({ test }: { test: boolean }): ReactNode {
  const t = useTranslations('payments.topUpForm');
  const succeed = useSuccess();
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
      return succeed(t(test ? 'testAdded' : 'processing'));
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
