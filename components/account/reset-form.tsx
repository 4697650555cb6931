'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { PASSWORD_LENGTH, passwordFault } from '@/lib/identity/schema';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { FormProblem } from './form-problem';
import { PasswordField } from './password-field';
import { type Faults, useForm } from './use-form';

export interface ResetFormProps {
  token: string;
  /** The address that the link was sent to. */
  email: string;
  next: string;
  error?: string | undefined;
}

/** A new password by the link from a mail; also works without script. */
export function ResetForm({ token, email, next, error }: ResetFormProps): ReactNode {
  const t = useTranslations('account.resetForm');
  const { form, pending, problem, faults } = useForm({
    path: '/api/auth/reset/finish',
    check({ password = '' }): Faults {
      const weak = passwordFault(password, email);
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
        error={faults.password}
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
