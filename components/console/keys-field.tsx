import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { isObject, type JsonObject, type JsonValue } from '../../lib/protocol/json';
import { Field } from '../forms/field';
import { controlClass } from '../forms/inputs';

/** A field for a set of public keys. */
export function KeysField({ error }: { error: string | undefined }): ReactNode {
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

/** The keys of a JWK set, an array, or a single JWK; null for anything else. */
export function keysIn(text: string): JsonObject[] | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    const keys = isObject(value) && Array.isArray(value.keys) ? value.keys : Array.isArray(value) ? value : [value];
    return keys.length > 0 && keys.every(isObject) ? keys.filter(isObject) : null;
  } catch {
    return null;
  }
}
