'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { PASSWORD_LENGTH } from '@/lib/identity/limits';
import { passwordError } from '@/lib/identity/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox, Input } from '../../forms/inputs';
import { PasswordField } from '../../forms/password-field';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';

export interface ResetFormProps {
  token: string;
  /** The address to which the link was sent. */
  email: string;
  next: string;
  error?: string | undefined;
}

/** Sets a new password with an emailed link; also works without JavaScript. */
export function ResetForm({ token, email, next, error }: ResetFormProps): ReactNode {
  const t = useTranslations('account.resetForm');
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/auth/reset/finish',
    check({ password = '' }): FieldErrors {
      const weak = passwordError(password, email);
      return weak ? { password: weak } : {};
    },
    toBody: (fields) => ({ token, password: fields.password, endTokens: 'endTokens' in fields }),
    onDone() {
      window.location.assign(next);
      return 'leaving';
    },
  });
  return (
    <form {...form} action="/api/auth/reset/finish" className="space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="token" type="hidden" value={token} />
      <input name="next" type="hidden" value={next} />
      <Field id="email" label={t('email')} required>
        {(control) => <Input {...control} autoComplete="username" readOnly type="email" value={email} />}
      </Field>
      <PasswordField
        autoComplete="new-password"
        error={fieldErrors.password}
        hint={t('passwordHint', { min: PASSWORD_LENGTH.min })}
        label={t('password')}
        minLength={PASSWORD_LENGTH.min}
      />
      <Checkbox defaultChecked hint={t('endTokensHint')} label={t('endTokens')} name="endTokens" />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}
