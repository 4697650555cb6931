import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_ISSUER_LENGTH } from '@/lib/payments/limits';
import type { MerchantView } from '@/lib/payments/schema-merchants';
import { isObject, type JsonObject, type JsonValue } from '../../../lib/protocol/json';
import { Field } from '../../forms/field';
import { controlClass, Input, Select } from '../../forms/inputs';
import type { FieldErrors } from '../../forms/use-form';

interface SigningKeyFieldsProps {
  merchant: MerchantView;
  fieldErrors: FieldErrors;
}

const overlaps = [
  { value: '24', name: 'hours24' },
  { value: '168', name: 'days7' },
  { value: '1', name: 'hour1' },
  { value: '0', name: 'none' },
] as const;

/** The name under which an agent signs its carts, and the source of its public keys. */
export function SigningKeyFields({ merchant, fieldErrors }: SigningKeyFieldsProps): ReactNode {
  const t = useTranslations('console.ownKeyFields');
  const { issuer, jwksUrl, keys } = merchant;
  const [source, setSource] = useState(jwksUrl === null && keys.length > 0 ? 'keys' : 'url');
  return (
    <>
      <Field error={fieldErrors.issuer} hint={t('issuerHint')} id="merchant-issuer" label={t('issuer')} required>
        {(control) => (
          <Input {...control} autoComplete="off" defaultValue={issuer} maxLength={MAX_ISSUER_LENGTH} name="issuer" />
        )}
      </Field>
      <Field id="merchant-source" label={t('source')} required>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            defaultValue={source}
            name="source"
            onChange={(event) => setSource(event.target.value)}
          >
            <option value="url">{t('sources.url')}</option>
            <option value="keys">{t('sources.keys')}</option>
          </Select>
        )}
      </Field>
      {source === 'url' ? (
        <Field error={fieldErrors.jwksUrl} hint={t('addressHint')} id="merchant-jwks" label={t('address')} required>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              defaultValue={jwksUrl ?? ''}
              name="jwksUrl"
              placeholder="https://shop.example/.well-known/jwks.json"
              type="url"
            />
          )}
        </Field>
      ) : (
        <KeysField error={fieldErrors.keys} />
      )}
      <Field id="merchant-overlap" label={t('overlap')} required>
        {(control) => (
          <Select {...control} name="overlapHours">
            {overlaps.map(({ value, name }) => (
              <option key={value} value={value}>
                {t(`overlaps.${name}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}

/** A field for a set of public keys. */
function KeysField({ error }: { error: string | undefined }): ReactNode {
  const t = useTranslations('console.keysField');
  return (
    <Field error={error} hint={t('hint')} id="merchant-keys" label={t('label')} required>
      {(control) => (
        <textarea
          {...control}
          autoComplete="off"
          className={`${controlClass} py-2 font-mono text-xs`}
          name="keys"
          rows={6}
          spellCheck={false}
        />
      )}
    </Field>
  );
}

/** Returns the keys of a JWK set, an array, or a single JWK; null for all other text. */
export function keysIn(text: string): JsonObject[] | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    const keys = isObject(value) && Array.isArray(value.keys) ? value.keys : Array.isArray(value) ? value : [value];
    return keys.length > 0 && keys.every(isObject) ? keys.filter(isObject) : null;
  } catch {
    return null;
  }
}
