'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ACCESS_SCOPES, DEFAULT_ACCESS_SCOPES } from '@/lib/platform/scopes';
import { MAX_NAME_LENGTH } from '@/lib/tokens/limits';
import type { NewAccessToken } from '@/lib/tokens/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input, Select } from '../../forms/inputs';
import { Reauthenticate } from '../../forms/reauthenticate';
import { type Fields, useForm } from '../../forms/use-form';
import { settingsRoutes } from '../../settings-routes';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { CodeBlock } from '../../ui/display/code-block';
import { useFormat } from '../../ui/display/format';
import { announce } from '../../ui/overlays/announcer';

export interface TokenFormProps {
  /** Maximum amounts that a new token may spend, hundredths of the currency unit. */
  caps: { order: number; day: number; month: number };
}

/** Creates an access token and displays it once. */
export function TokenForm({ caps }: TokenFormProps): ReactNode {
  const t = useTranslations('account.tokenForm');
  const router = useRouter();
  const [made, setMade] = useState<NewAccessToken | null>(null);
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/auth/access-tokens',
    check: (fields) => ({
      ...(fields.name?.trim() ? {} : { name: t('nameMissing') }),
      ...(chosenScopes(fields).length > 0 ? {} : { scopes: t('scopesMissing') }),
    }),
    toBody,
    onDone(body, sent) {
      setMade(body as NewAccessToken);
      announce(t('ready'));
      sent.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <div className="space-y-6">
      {made ? <NewToken key={made.id} token={made.token} /> : null}
      <form {...form} className="max-w-lg space-y-5">
        {problem?.code === 'sign_in_again' ? (
          <Reauthenticate returnTo={settingsRoutes.accessTokens} what="letTokenPay" />
        ) : (
          <FormProblem problem={problem} />
        )}
        <Field error={fieldErrors.name} hint={t('nameHint')} id="name" label={t('name')} required>
          {(control) => <Input {...control} autoComplete="off" maxLength={MAX_NAME_LENGTH} name="name" />}
        </Field>
        <ScopeBoxes caps={caps} error={fieldErrors.scopes} />
        <ExpiryField />
        <Button pending={pending} tone="primary" type="submit">
          {t('submit')}
        </Button>
      </form>
    </div>
  );
}

interface ScopeBoxesProps extends TokenFormProps {
  error: string | undefined;
}

function ScopeBoxes({ error, caps }: ScopeBoxesProps): ReactNode {
  const t = useTranslations('account.tokenForm');
  const tScopes = useTranslations('account.scopes');
  const format = useFormat();
  const amountOf = (minor: number): string => format.number(minor / 100, { minimumFractionDigits: 2 });
  const { order, day, month } = caps;
  const payCap = t('payCap', { order: amountOf(order), day: amountOf(day), month: amountOf(month) });
  return (
    <fieldset>
      <legend className="text-sm font-medium">{t('scopes')}</legend>
      <div className="mt-2 space-y-1">
        {ACCESS_SCOPES.map((id) => (
          <Checkbox
            defaultChecked={DEFAULT_ACCESS_SCOPES.includes(id)}
            hint={id === 'pay' ? `${tScopes('pay.hint')} ${payCap}` : tScopes(`${id}.hint`)}
            key={id}
            label={tScopes(`${id}.label`)}
            name={`scope ${id}`}
          />
        ))}
      </div>
      {error ? <p className="mt-2 text-sm text-danger">{error}</p> : null}
    </fieldset>
  );
}

function ExpiryField(): ReactNode {
  const t = useTranslations('account.tokenForm');
  return (
    <Field id="expires" label={t('expires')} required>
      {(control) => (
        <Select {...control} defaultValue="90" name="expires">
          {[7, 30, 90].map((days) => (
            <option key={days} value={days}>
              {t('expiresInDays', { days })}
            </option>
          ))}
          <option value="365">{t('expiresInYear')}</option>
          <option value="never">{t('expiresNever')}</option>
        </Select>
      )}
    </Field>
  );
}

/** Takes the focus and scrolls into view, because on a phone it is far above the button. */
function NewToken({ token }: { token: string }): ReactNode {
  const t = useTranslations('account.tokenForm');
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <section
      aria-label={t('newToken')}
      className="max-w-2xl scroll-mt-24 space-y-3 outline-none"
      ref={panel}
      tabIndex={-1}
    >
      <Alert title={t('copy')} tone="warn">
        {t('copyHint')}
      </Alert>
      <CodeBlock code={token} label={t('codeLabel')} />
    </section>
  );
}

function chosenScopes(fields: Fields): string[] {
  return ACCESS_SCOPES.filter((id) => `scope ${id}` in fields);
}

function toBody(fields: Fields): object {
  const { name, expires } = fields;
  return {
    name,
    scopes: chosenScopes(fields),
    ...(expires === 'never' ? {} : { expiresInDays: Number(expires) }),
  };
}
