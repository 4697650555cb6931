'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PaymentSettings } from '@/lib/payments/schema';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { parseMoney } from './format-money';
import { SignInAgain } from './sign-in-again';

export interface LimitFormProps {
  settings: PaymentSettings;
  hasPasskey: boolean;
}

/** The amount is kept in hundredths, whatever the currency. */
const likeEuros = 'EUR';

/** From which amount on only a passkey approves a payment. */
export function LimitForm({ settings: { passkeyAbove }, hasPasskey }: LimitFormProps): ReactNode {
  const t = useTranslations('payments.limitForm');
  const [limited, setLimited] = useState(passkeyAbove !== null);
  const { form, pending, problem, faults } = useForm({
    method: 'PUT',
    path: '/api/payments/settings',
    check: ({ above }: Fields): Faults =>
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
        <SignInAgain returnTo={routes.payments} what="changeLimit" />
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
          error={faults.above ?? faults.passkeyAbove}
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
