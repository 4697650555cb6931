'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input } from '../forms/inputs';
import { PasswordField } from '../forms/password-field';
import { Reauthenticate } from '../forms/reauthenticate';
import { type FieldErrors, useForm } from '../forms/use-form';
import { routes } from '../routes';
import { Button } from '../ui/controls/button';
import { clearSessionItems } from '../ui/controls/session-storage';
import { Card } from '../ui/display/card';

export interface DeleteAccountProps {
  email: string;
  /** False for users of a sign-in provider: they confirm with a fresh sign-in and their address. */
  hasPassword: boolean;
}

/**
 * Deletes the account permanently: states what is deleted and what remains, and asks for something only its owner would
 * type.
 */
export function DeleteAccount({ email, hasPassword }: DeleteAccountProps): ReactNode {
  const t = useTranslations('account.deleteAccount');
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/account/deletion',
    check(fields) {
      const fieldErrors: FieldErrors = {};
      if (fields.email?.trim().toLowerCase() !== email) fieldErrors.email = t('emailWrong', { email });
      if (hasPassword && !fields.password) fieldErrors.password = t('passwordMissing');
      return fieldErrors;
    },
    onDone() {
      clearSessionItems();
      window.location.assign('/');
      return 'leaving';
    },
  });
  return (
    <section aria-labelledby="delete-title" className="space-y-3">
      <h2 className="text-lg font-semibold" id="delete-title">
        {t('title')}
      </h2>
      <p className="text-muted">{t('lead')}</p>
      <Card className="p-5">
        <form {...form} className="space-y-5">
          {problem?.code === 'sign_in_again' ? (
            <Reauthenticate returnTo={routes.ownData} what="deleteAccount" />
          ) : (
            <FormProblem problem={problem} />
          )}
          <Field
            error={fieldErrors.email}
            hint={t.rich('emailHint', {
              email,
              address: (chunks) => <span className="font-mono break-all text-ink">{chunks}</span>,
            })}
            id="email"
            label={t('email')}
            required
          >
            {(control) => <Input {...control} autoComplete="off" name="email" type="email" />}
          </Field>
          {hasPassword ? (
            <PasswordField autoComplete="current-password" error={fieldErrors.password} label={t('password')} />
          ) : null}
          <Button pending={pending} tone="danger" type="submit">
            {t('submit')}
          </Button>
        </form>
      </Card>
    </section>
  );
}
