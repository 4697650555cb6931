'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_SECRET_LENGTH } from '@/lib/catalog/limits';
import type { CredentialInput, CredentialView } from '@/lib/catalog/schema';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Select } from '../../forms/inputs';
import { type FieldErrors, type Fields, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { Card } from '../../ui/display/card';
import { useFormat } from '../../ui/display/format';
import { toast } from '../../ui/overlays/toast';

interface CredentialSettingsProps {
  slug: string;
  credential: CredentialView | null;
}

/** The credential with which Parley calls the agent: its kind and age, and a way to replace and remove it. */
export function CredentialSettings({ slug, credential }: CredentialSettingsProps): ReactNode {
  const t = useTranslations('console.credentialSettings');
  const format = useFormat();
  const router = useRouter();
  const path = `/api/agents/${encodeURIComponent(slug)}/credentials`;

  function changed(text: string): void {
    toast({ tone: 'good', text });
    router.refresh();
  }

  return (
    <div className="space-y-6">
      {credential ? (
        <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 text-sm">
          <p className="min-w-0">
            <span className="block font-medium">{t(`isStored.${credential.kind}`)}</span>
            <span className="text-muted">
              {t.rich('since', {
                since: format.date(credential.setAt, 'moment'),
                time: (since) => <time dateTime={credential.setAt}>{since}</time>,
              })}
            </span>
          </p>
          <ConfirmDialog
            action={t('remove')}
            onDone={() => changed(t('removed'))}
            path={path}
            title={t('removeConfirm')}
            trigger={<Button size="sm">{t('remove')}</Button>}
          >
            {t('removeNote')}
          </ConfirmDialog>
        </Card>
      ) : null}
      <CredentialForm isReplacing={credential !== null} onStored={() => changed(t('stored'))} path={path} />
    </div>
  );
}

interface CredentialFormProps {
  path: string;
  isReplacing: boolean;
  onStored: () => void;
}

type Kind = CredentialInput['kind'];

type Translator = ReturnType<typeof useTranslations<'console.credentialForm'>>;
type Key = Parameters<Translator>[0];

interface FieldFacts {
  name: string;
  label: Key;
  hint?: Key;
  type: 'text' | 'password' | 'url';
  missing?: Key;
}

const fieldsOf: Record<Kind, FieldFacts[]> = {
  bearer: [{ name: 'token', label: 'token.label', type: 'password', missing: 'token.missing' }],
  'api-key': [
    { name: 'name', label: 'name.label', hint: 'name.hint', type: 'text', missing: 'name.missing' },
    { name: 'value', label: 'value.label', type: 'password', missing: 'value.missing' },
  ],
  'oauth-client-credentials': [
    { name: 'tokenUrl', label: 'tokenUrl.label', hint: 'tokenUrl.hint', type: 'url', missing: 'tokenUrl.missing' },
    { name: 'clientId', label: 'clientId.label', type: 'text', missing: 'clientId.missing' },
    { name: 'clientSecret', label: 'clientSecret.label', type: 'password', missing: 'clientSecret.missing' },
    { name: 'scope', label: 'scope.label', hint: 'scope.hint', type: 'text' },
  ],
};

/** Stores a credential and replaces the previous one. The input is cleared when it is stored. */
function CredentialForm({ path, isReplacing, onStored }: CredentialFormProps): ReactNode {
  const t = useTranslations('console.credentialForm');
  const [kind, setKind] = useState<Kind>('bearer');
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path,
    check: (fields) => missingIn(kind, fields, t),
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
        label={t(isReplacing ? 'kindOfReplacement' : 'kind')}
        name="kind"
        onChange={(chosen) => setKind(chosen as Kind)}
        options={{
          bearer: t('kinds.bearer'),
          'api-key': t('kinds.apiKey'),
          'oauth-client-credentials': t('kinds.oauth'),
        }}
      />
      {kind === 'api-key' ? (
        <Choice
          id="credential-in"
          label={t('place')}
          name="in"
          options={{ header: t('inHeader'), query: t('inQuery') }}
        />
      ) : null}
      {fieldsOf[kind].map(({ name, label, hint, type, missing }) => (
        <Field
          error={fieldErrors[name]}
          hint={hint && t(hint)}
          id={`credential-${name}`}
          key={name}
          label={t(label)}
          required={Boolean(missing)}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={MAX_SECRET_LENGTH}
              name={name}
              spellCheck={false}
              type={type}
            />
          )}
        </Field>
      ))}
      {kind === 'oauth-client-credentials' ? (
        <Choice
          id="credential-clientAuth"
          label={t('clientAuth')}
          name="clientAuth"
          options={{ basic: t('clientAuthBasic'), body: t('clientAuthBody') }}
        />
      ) : null}
      <Button pending={pending} tone="primary" type="submit">
        {t(isReplacing ? 'replace' : 'store')}
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

function missingIn(kind: Kind, fields: Fields, t: Translator): FieldErrors {
  const absent = fieldsOf[kind].filter(({ name }) => !fields[name]?.trim());
  return Object.fromEntries(absent.flatMap(({ name, missing }) => (missing ? [[name, t(missing)]] : [])));
}
