'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PaymentSettings } from '@/lib/payments/schema-approvals';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Checkbox, Input } from '../forms/inputs';
import { Reauthenticate } from '../forms/reauthenticate';
import { type FieldErrors, type Fields, useForm } from '../forms/use-form';
import { routes } from '../routes';
import { Button } from '../ui/controls/button';
import { toast } from '../ui/overlays/toast';
import { parseMoney } from './format-money';

export interface LimitFormProps {
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
        <Reauthenticate returnTo={routes.payments} what="changeLimit" />
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
