'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_NAME_LENGTH, PASSWORD_LENGTH } from '@/lib/identity/limits';
import { passwordError, withNext } from '@/lib/identity/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { PasswordField } from '../../forms/password-field';
import { useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';

export interface SignUpFormProps {
  next: string;
  error?: string | undefined;
}

/** Requests an account; also works without JavaScript. */
export function SignUpForm({ next, error }: SignUpFormProps): ReactNode {
  const t = useTranslations('account.signUpForm');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/auth/sign-up',
    check({ name = '', email = '', password = '' }) {
      const weak = passwordError(password, email);
      return {
        ...(name.trim() ? {} : { name: t('nameMissing') }),
        ...(email.includes('@') ? {} : { email: t('emailMissing') }),
        ...(weak ? { password: weak } : {}),
      };
    },
    onDone() {
      router.push(withNext('/sign-up/sent', next));
      return 'leaving';
    },
  });
  return (
    <form {...form} action="/api/auth/sign-up" className="space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="next" type="hidden" value={next} />
      <Field error={fieldErrors.name} hint={t('nameHint')} id="name" label={t('name')} required>
        {(control) => <Input {...control} autoComplete="name" maxLength={MAX_NAME_LENGTH} name="name" />}
      </Field>
      <Field error={fieldErrors.email} hint={t('emailHint')} id="email" label={t('email')} required>
        {(control) => <Input {...control} autoComplete="username" inputMode="email" name="email" type="email" />}
      </Field>
      <PasswordField
        autoComplete="new-password"
        error={fieldErrors.password}
        hint={t('passwordHint', { min: PASSWORD_LENGTH.min })}
        label={t('password')}
        minLength={PASSWORD_LENGTH.min}
      />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}
