'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { SignInAgain } from '../payments/sign-in-again';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { forgetKept } from '../ui/kept-in-tab';
import { FormProblem } from './form-problem';
import { PasswordField } from './password-field';
import { type Faults, useForm } from './use-form';

export interface DeleteAccountProps {
  email: string;
  /** False for people who sign in elsewhere: they prove themselves by a fresh sign-in and the address. */
  hasPassword: boolean;
}

/** The way out for good: says what goes and what stays, and asks for what only its owner would type. */
export function DeleteAccount({ email, hasPassword }: DeleteAccountProps): ReactNode {
  const t = useTranslations('account.deleteAccount');
  const { form, pending, problem, faults } = useForm({
    path: '/api/account/deletion',
    check(fields) {
      const faults: Faults = {};
      if (fields.email?.trim().toLowerCase() !== email) faults.email = t('emailWrong', { email });
      if (hasPassword && !fields.password) faults.password = t('passwordMissing');
      return faults;
    },
    onDone() {
      forgetKept();
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
            <SignInAgain returnTo={routes.ownData} what="deleteAccount" />
          ) : (
            <FormProblem problem={problem} />
          )}
          <Field
            error={faults.email}
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
            <PasswordField autoComplete="current-password" error={faults.password} label={t('password')} />
          ) : null}
          <Button pending={pending} tone="danger" type="submit">
            {t('submit')}
          </Button>
        </form>
      </Card>
    </section>
  );
}
