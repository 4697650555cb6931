'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_ADDRESS_LENGTH, MAX_LEGAL_NAME_LENGTH, MAX_VAT_ID_LENGTH } from '@/lib/payments/limits';
import type { BillingRole, PartyDetails } from '@/lib/payments/schema-income';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { useSuccess } from '../../ui/overlays/toast';
import { CountrySelect } from '../offers/country-select';

export interface BillingFormProps {
  party: BillingRole;
  details: PartyDetails | null;
}

const texts = [
  { name: 'name', autoComplete: 'organization', maxLength: MAX_LEGAL_NAME_LENGTH, isRequired: true },
  { name: 'street', autoComplete: 'street-address', maxLength: MAX_ADDRESS_LENGTH, isRequired: true },
  { name: 'postalCode', autoComplete: 'postal-code', maxLength: MAX_ADDRESS_LENGTH, isRequired: false },
  { name: 'city', autoComplete: 'address-level2', maxLength: MAX_ADDRESS_LENGTH, isRequired: true },
] as const;

/** Who the user is on invoices: as buyer, or as seller. The details apply to later papers. */
export function BillingForm({ party, details }: BillingFormProps): ReactNode {
  const t = useTranslations('payments.billingForm');
  const succeed = useSuccess();
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path: `/api/billing/${party}`,
    check: (fields): FieldErrors =>
      Object.fromEntries(
        texts
          .filter(({ name, isRequired }) => isRequired && !fields[name]?.trim())
          .map(({ name }) => [name, t('missing')]),
      ),
    toBody: ({ vatId = '', ...fields }) => ({ ...fields, vatId: vatId.trim() === '' ? null : vatId }),
    onDone: () => succeed(t('saved')),
  });
  return (
    <form {...form} className="max-w-lg space-y-4">
      <FormProblem problem={problem} />
      {texts.map(({ name, autoComplete, maxLength, isRequired }) => (
        <Field error={fieldErrors[name]} id={`${party}-${name}`} key={name} label={t(name)} required={isRequired}>
          {(control) => (
            <Input
              {...control}
              autoComplete={autoComplete}
              defaultValue={details?.[name]}
              maxLength={maxLength}
              name={name}
            />
          )}
        </Field>
      ))}
      <Field error={fieldErrors.country} id={`${party}-country`} label={t('country')} required>
        {(control) => <CountrySelect control={control} value={details?.country ?? 'DE'} />}
      </Field>
      <Field error={fieldErrors.vatId} hint={t(`vatIdHint.${party}`)} id={`${party}-vatId`} label={t('vatId')}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            defaultValue={details?.vatId ?? ''}
            maxLength={MAX_VAT_ID_LENGTH}
            name="vatId"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button pending={pending} tone={details ? 'secondary' : 'primary'} type="submit">
          {t('save')}
        </Button>
        {details ? <RemoveButton party={party} /> : null}
      </div>
    </form>
  );
}

function RemoveButton({ party }: Pick<BillingFormProps, 'party'>): ReactNode {
  const t = useTranslations('payments.billingForm');
  const succeed = useSuccess();
  const [pending, setPending] = useState(false);

  async function remove(): Promise<void> {
    setPending(true);
    const response = await callApi('DELETE', `/api/billing/${party}`);
    setPending(false);
    if (response.ok) succeed(t('removed'));
  }

  return (
    <Button onClick={() => void remove()} pending={pending} tone="quiet">
      {t('remove')}
    </Button>
  );
}
