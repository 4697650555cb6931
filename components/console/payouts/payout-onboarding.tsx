'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { OnboardingResult, PayoutAccountView } from '@/lib/payments/schema-payouts';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { CountrySelect } from '../../payments/offers/country-select';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { useSuccess } from '../../ui/overlays/toast';

/** Countries of the form, ISO 3166. On the real rail, Stripe offers its own. */
const countries = [
  ...[
    'AT',
    'AU',
    'BE',
    'BG',
    'BR',
    'CA',
    'CH',
    'CY',
    'CZ',
    'DE',
    'DK',
    'EE',
    'ES',
    'FI',
    'FR',
    'GB',
    'GR',
    'HK',
    'HR',
    'HU',
  ],
  ...[
    'IE',
    'IN',
    'IT',
    'JP',
    'LT',
    'LU',
    'LV',
    'MT',
    'MX',
    'NL',
    'NO',
    'NZ',
    'PL',
    'PT',
    'RO',
    'SE',
    'SG',
    'SI',
    'SK',
    'US',
  ],
];

/** The state of the onboarding with what is missing, and one way to continue. */
export function PayoutOnboarding({ account }: { account: PayoutAccountView }): ReactNode {
  const t = useTranslations('console.payoutOnboarding');
  const { onboarding, requirements, rail, details } = account;
  const tone = { not_started: 'info', incomplete: 'warn', in_review: 'info', ready: 'good' } as const;
  return (
    <div className="space-y-5">
      <Alert title={t(`titles.${onboarding}`)} tone={tone[onboarding]}>
        <p>{t(`hints.${onboarding}`)}</p>
        {requirements.length > 0 ? (
          <ul className="mt-1 list-disc ps-5">
            {requirements.map((name) => (
              <li key={name}>{t(`requirements.${name}`)}</li>
            ))}
          </ul>
        ) : null}
        {details ? <p>{t('goesTo', { name: details.legalName, ending: details.bankEnding })}</p> : null}
      </Alert>
      {rail === 'credits' ? <DetailsForm details={details} /> : <StripeButton onboarding={onboarding} />}
    </div>
  );
}

function StripeButton({ onboarding }: Pick<PayoutAccountView, 'onboarding'>): ReactNode {
  const t = useTranslations('console.payoutOnboarding');
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function open(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi('POST', '/api/payouts/onboarding', {});
    if (response.ok) {
      const { redirectUrl } = response.body as OnboardingResult;
      if (redirectUrl && /^https?:\/\//.test(redirectUrl)) return window.location.assign(redirectUrl);
    }
    setPending(false);
    if (!response.ok) setProblem(response.problem.title);
  }

  return (
    <div className="space-y-3">
      {problem ? (
        <Alert live="assertive" tone="danger">
          {problem}
        </Alert>
      ) : null}
      <p className="max-w-prose text-sm text-muted">{t('stripeHint')}</p>
      <Button onClick={() => void open()} pending={pending} tone={onboarding === 'ready' ? 'secondary' : 'primary'}>
        {t(`openStripe.${onboarding}`)}
      </Button>
    </div>
  );
}

function DetailsForm({ details }: Pick<PayoutAccountView, 'details'>): ReactNode {
  const t = useTranslations('console.payoutOnboarding');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/payouts/onboarding',
    check: ({ legalName = '', bank = '' }): FieldErrors => ({
      ...(legalName.trim() ? {} : { legalName: t('nameMissing') }),
      ...(/^[a-zA-Z0-9]{6,34}$/.test(bank.replace(/[\s-]/g, '')) ? {} : { bank: t('bankInvalid') }),
    }),
    toBody: ({ legalName = '', country = '', bank = '' }) => ({ details: { legalName, country, bank } }),
    onDone: () => succeed(t('saved')),
  });
  return (
    <form {...form} className="max-w-lg space-y-4">
      <FormProblem problem={problem} />
      <p className="text-sm text-muted">{t('testHint')}</p>
      <Field error={fieldErrors.legalName} id="payout-name" label={t('legalName')} required>
        {(control) => (
          <Input {...control} autoComplete="name" defaultValue={details?.legalName} maxLength={200} name="legalName" />
        )}
      </Field>
      <Field error={fieldErrors.country} id="payout-country" label={t('country')} required>
        {(control) => <CountrySelect codes={countries} control={control} value={details?.country ?? 'DE'} />}
      </Field>
      <Field error={fieldErrors.bank} hint={t('bankHint')} id="payout-bank" label={t('bank')} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={60} name="bank" />}
      </Field>
      <Button pending={pending} tone={details ? 'secondary' : 'primary'} type="submit">
        {t('save')}
      </Button>
    </form>
  );
}
