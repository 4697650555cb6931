'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Button } from '../ui/controls/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { FormProblem } from './form-problem';
import { PasswordField } from './password-field';
import { type FieldErrors, useForm } from './use-form';

export interface ConfirmFormProps {
  token: string;
  /** The address that the link was sent to. */
  email: string;
  next: string;
  error?: string | undefined;
}

/** The last step of sign-up: the password again, which proves that the same user signed up. */
export function ConfirmForm({ token, email, next, error }: ConfirmFormProps): ReactNode {
  const t = useTranslations('account.confirmForm');
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/auth/confirm',
    check: ({ password }): FieldErrors => (password ? {} : { password: t('passwordMissing') }),
    toBody: ({ password }) => ({ token, password }),
    onDone() {
      window.location.assign(next);
      return 'leaving';
    },
  });
  return (
    <form {...form} action="/api/auth/confirm" className="space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="token" type="hidden" value={token} />
      <input name="next" type="hidden" value={next} />
      <Field id="email" label={t('email')} required>
        {(control) => <Input {...control} autoComplete="username" readOnly type="email" value={email} />}
      </Field>
      <PasswordField
        autoComplete="current-password"
        error={fieldErrors.password}
        hint={t('passwordHint')}
        label={t('password')}
      />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}
