'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { withNext } from '@/lib/identity/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { PasswordField } from '../../forms/password-field';
import { useForm } from '../../forms/use-form';
import { routes } from '../../routes';
import { Button } from '../../ui/controls/button';

export interface SignInFormProps {
  /** The path on this site to open after sign-in. */
  next: string;
  reason?: string | undefined;
  error?: string | undefined;
}

/** Sign-in by email address and password; also works without JavaScript. */
export function SignInForm({ next, reason, error }: SignInFormProps): ReactNode {
  const t = useTranslations('account.signInForm');
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/auth/local',
    check: ({ email, password }) => ({
      ...(email?.includes('@') ? {} : { email: t('emailMissing') }),
      ...(password ? {} : { password: t('passwordMissing') }),
    }),
    onDone() {
      // A full page load, so that all data is read again for this user.
      window.location.assign(next);
      return 'leaving';
    },
  });
  return (
    <form {...form} action="/api/auth/local" className="space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="next" type="hidden" value={next} />
      {reason ? <input name="reason" type="hidden" value={reason} /> : null}
      <Field error={fieldErrors.email} id="email" label={t('email')} required>
        {(control) => <Input {...control} autoComplete="username" inputMode="email" name="email" type="email" />}
      </Field>
      <PasswordField autoComplete="current-password" error={fieldErrors.password} label={t('password')} />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
      <p className="flex flex-wrap justify-between gap-x-4 gap-y-1 text-sm">
        <Link className="text-link inline-block py-1" href={withNext(routes.forgot, next)}>
          {t('forgot')}
        </Link>
        <Link className="text-link inline-block py-1" href={withNext(routes.signInByMail, next)}>
          {t('byMail')}
        </Link>
      </p>
    </form>
  );
}
