import { type ReactNode, useState } from 'react';
import type { MerchantView } from '@/lib/payments/schema';
import type { Faults } from '../account/use-form';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { KeysField } from './keys-field';

export interface OwnKeyFieldsProps {
  merchant: MerchantView;
  faults: Faults;
}

const overlaps = [
  { value: '24', text: 'for 24 hours' },
  { value: '168', text: 'for 7 days' },
  { value: '1', text: 'for 1 hour' },
  { value: '0', text: 'no longer' },
];

/** In which name an agent signs its carts, and where its public keys come from. */
export function OwnKeyFields({ merchant, faults }: OwnKeyFieldsProps): ReactNode {
  const { issuer, jwksUrl, keys } = merchant;
  const [source, setSource] = useState(jwksUrl === null && keys.length > 0 ? 'keys' : 'url');
  return (
    <>
      <Field
        error={faults.issuer}
        hint="What stands as “iss” in the signatures, such as the address of your shop."
        id="merchant-issuer"
        label="Issuer"
        required
      >
        {(control) => <Input {...control} autoComplete="off" defaultValue={issuer} maxLength={500} name="issuer" />}
      </Field>
      <Field id="merchant-source" label="Where the public keys are" required>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            defaultValue={source}
            name="source"
            onChange={(event) => setSource(event.target.value)}
          >
            <option value="url">At an address (JWKS)</option>
            <option value="keys">I paste them here</option>
          </Select>
        )}
      </Field>
      {source === 'url' ? (
        <Field
          error={faults.jwksUrl}
          hint="Parley reads it now and keeps the keys. Save again after a rotation."
          id="merchant-jwks"
          label="Address of the keys"
          required
        >
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
        <KeysField error={faults.keys} />
      )}
      <Field id="merchant-overlap" label="Keys that are left out go on counting" required>
        {(control) => (
          <Select {...control} name="overlapHours">
            {overlaps.map(({ value, text }) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
