'use client';

import { type ReactNode, useState } from 'react';
import type { CredentialInput } from '@/lib/catalog/schema';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';

interface CredentialFormProps {
  path: string;
  isReplacing: boolean;
  onStored: () => void;
}

type Kind = CredentialInput['kind'];

interface FieldFacts {
  name: string;
  label: string;
  hint?: string;
  type: 'text' | 'password' | 'url';
  missing?: string;
}

const fieldsOf: Record<Kind, FieldFacts[]> = {
  bearer: [{ name: 'token', label: 'Token', type: 'password', missing: 'Enter the token that your agent expects.' }],
  'api-key': [
    {
      name: 'name',
      label: 'Name of the key',
      hint: 'Of the header or parameter, such as X-API-Key.',
      type: 'text',
      missing: 'Enter the name under which the key travels.',
    },
    { name: 'value', label: 'Key', type: 'password', missing: 'Enter the key that your agent expects.' },
  ],
  'oauth-client-credentials': [
    {
      name: 'tokenUrl',
      label: 'Token endpoint',
      hint: 'Parley gets an access token there before it calls your agent.',
      type: 'url',
      missing: 'Enter the address of the token endpoint.',
    },
    { name: 'clientId', label: 'Client id', type: 'text', missing: 'Enter the client id.' },
    { name: 'clientSecret', label: 'Client secret', type: 'password', missing: 'Enter the client secret.' },
    { name: 'scope', label: 'Scopes', hint: 'Separated by spaces.', type: 'text' },
  ],
};

/** Stores a credential in place of the one before. What was typed is gone from the page when it is stored. */
export function CredentialForm({ path, isReplacing, onStored }: CredentialFormProps): ReactNode {
  const [kind, setKind] = useState<Kind>('bearer');
  const { form, pending, problem, faults } = useForm({
    method: 'PUT',
    path,
    check: (fields) => missingIn(kind, fields),
    toBody: (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== '')),
    onDone(_, sent) {
      sent.reset();
      setKind('bearer');
      onStored();
      return 'staying';
    },
  });
  return (
    <form {...form} autoComplete="off" className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Choice
        id="credential-kind"
        label={isReplacing ? 'Replace it by' : 'What your agent wants'}
        name="kind"
        onChange={(chosen) => setKind(chosen as Kind)}
        options={{
          bearer: 'A bearer token',
          'api-key': 'An API key',
          'oauth-client-credentials': 'OAuth client credentials',
        }}
      />
      {kind === 'api-key' ? (
        <Choice
          id="credential-in"
          label="Where it travels"
          name="in"
          options={{ header: 'In a header', query: 'In the query' }}
        />
      ) : null}
      {fieldsOf[kind].map(({ name, label, hint, type, missing }) => (
        <Field
          error={faults[name]}
          hint={hint}
          id={`credential-${name}`}
          key={name}
          label={label}
          required={Boolean(missing)}
        >
          {(control) => (
            <Input {...control} autoComplete="off" maxLength={8_192} name={name} spellCheck={false} type={type} />
          )}
        </Field>
      ))}
      {kind === 'oauth-client-credentials' ? (
        <Choice
          id="credential-clientAuth"
          label="How the client authenticates"
          name="clientAuth"
          options={{ basic: 'HTTP Basic', body: 'In the body of the request' }}
        />
      ) : null}
      <Button pending={pending} tone="primary" type="submit">
        {isReplacing ? 'Replace credential' : 'Store credential'}
      </Button>
    </form>
  );
}

interface ChoiceProps {
  id: string;
  name: string;
  label: string;
  options: Record<string, string>;
  onChange?: (value: string) => void;
}

function Choice({ id, name, label, options, onChange }: ChoiceProps): ReactNode {
  return (
    <Field id={id} label={label} required>
      {(control) => (
        <Select {...control} className="w-full" name={name} onChange={(event) => onChange?.(event.target.value)}>
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function missingIn(kind: Kind, fields: Fields): Faults {
  const absent = fieldsOf[kind].filter(({ name, missing }) => missing && !fields[name]?.trim());
  return Object.fromEntries(absent.map(({ name, missing = '' }) => [name, missing]));
}
