'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { PasswordField } from '../../forms/password-field';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';

export interface ConfirmFormProps {
  token: string;
  /** The address to which the link was sent. */
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
