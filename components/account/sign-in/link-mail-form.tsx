'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { withNext } from '@/lib/identity/schema';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';

interface LinkMailFormProps {
  /** The endpoint that sends the link. */
  path: '/api/auth/reset' | '/api/auth/link';
  /** The page that confirms the address to which it was sent. */
  sentPage: string;
  next: string;
  error?: string | undefined;
}

/** Requests a link by email; also works without JavaScript. */
export function LinkMailForm({ path, sentPage, next, error }: LinkMailFormProps): ReactNode {
  const t = useTranslations('account.linkMailForm');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path,
    check: ({ email }): FieldErrors => (email?.includes('@') ? {} : { email: t('emailMissing') }),
    onDone() {
      router.push(withNext(sentPage, next));
      return 'leaving';
    },
  });
  return (
    <form {...form} action={path} className="space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="next" type="hidden" value={next} />
      <Field error={fieldErrors.email} id="email" label={t('email')} required>
        {(control) => <Input {...control} autoComplete="username" inputMode="email" name="email" type="email" />}
      </Field>
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}
