'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { MerchantInput, MerchantView } from '@/lib/payments/schema-merchants';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Select } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { DateTime } from '../../ui/display/date-time';
import { Literal } from '../../ui/display/fact-list';
import { Table } from '../../ui/display/table';
import { useSuccess } from '../../ui/overlays/toast';
import { keysIn, SigningKeyFields } from './signing-key-fields';

interface MerchantFormProps {
  slug: string;
  merchant: MerchantView;
}

type Translator = ReturnType<typeof useTranslations<'console.merchantForm'>>;

const signings = ['own', 'platform'] as const satisfies MerchantView['signing'][];

/** A listing's merchant settings: the signer of its carts, the signer's name and keys. */
export function MerchantForm({ slug, merchant }: MerchantFormProps): ReactNode {
  const t = useTranslations('console.merchantForm');
  const succeed = useSuccess();
  const [signing, setSigning] = useState(merchant.signing);
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path: `/api/agents/${encodeURIComponent(slug)}/merchant`,
    check: (fields) => faultsIn(fields, t),
    toBody,
    onDone: () => succeed(t('saved')),
  });
  return (
    <div className="space-y-6">
      {merchant.signing === 'own' ? <MerchantKeys keys={merchant.keys} /> : null}
      <form {...form} className="max-w-lg space-y-5">
        <FormProblem problem={problem} />
        <Field id="merchant-signing" label={t('signing')} required>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              defaultValue={merchant.signing}
              name="signing"
              onChange={(event) => setSigning(event.target.value as MerchantView['signing'])}
            >
              {signings.map((value) => (
                <option key={value} value={value}>
                  {t(`signings.${value}`)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {signing === 'own' ? <SigningKeyFields fieldErrors={fieldErrors} merchant={merchant} /> : null}
        <Button pending={pending} tone="primary" type="submit">
          {t('save')}
        </Button>
      </form>
    </div>
  );
}

function toBody({ signing, source, issuer, jwksUrl, keys = '', overlapHours }: Fields): MerchantInput {
  if (signing === 'platform') return { signing };
  const overlap = { 0: 0, 1: 1, 24: 24, 168: 168 } as const;
  return {
    signing: 'own',
    issuer,
    ...(source === 'keys' ? { keys: keysIn(keys) ?? [] } : { jwksUrl }),
    overlapHours: overlap[Number(overlapHours) as keyof typeof overlap],
  };
}

function faultsIn({ signing, source, issuer = '', jwksUrl = '', keys = '' }: Fields, t: Translator): FieldErrors {
  if (signing === 'platform') return {};
  const fieldErrors: FieldErrors = {};
  if (!issuer.trim()) fieldErrors.issuer = t('noIssuer');
  if (source === 'url' && !URL.canParse(jwksUrl)) {
    fieldErrors.jwksUrl = t('noAddress', { example: 'https://shop.example/keys.json' });
  }
  if (source === 'keys' && !keysIn(keys)) fieldErrors.keys = t('noKeys', { example: '{"keys": [{"kty": "EC", …}]}' });
  return fieldErrors;
}

/** A listing's valid keys, and the expiry dates of replaced ones. */
function MerchantKeys({ keys }: Pick<MerchantView, 'keys'>): ReactNode {
  const t = useTranslations('console.merchantKeys');
  if (keys.length === 0) {
    return (
      <Alert title={t('none')} tone="warn">
        {t('noneText')}
      </Alert>
    );
  }
  return (
    <Table caption={t('caption')}>
      <thead>
        <tr>
          <th scope="col">{t('key')}</th>
          <th scope="col">{t('since')}</th>
          <th scope="col">{t('until')}</th>
        </tr>
      </thead>
      <tbody>
        {keys.map(({ kid, createdAt, retiresAt }) => (
          <tr key={kid}>
            <th scope="row">
              <Literal>{kid}</Literal>
            </th>
            <td className="whitespace-nowrap">
              <DateTime at={createdAt} />
            </td>
            <td className="whitespace-nowrap">{retiresAt ? <DateTime at={retiresAt} /> : t('untilReplaced')}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
