'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { FormProblem } from '../../forms/form-problem';
import { useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';

interface LinkSignInFormProps {
  token: string;
  next: string;
  error?: string | undefined;
}

/** The button that redeems a sign-in link; also works without JavaScript. */
export function LinkSignInForm({ token, next, error }: LinkSignInFormProps): ReactNode {
  const t = useTranslations('account.linkSignInForm');
  const { form, pending, problem } = useForm({
    path: '/api/auth/link/finish',
    toBody: () => ({ token }),
    onDone() {
      window.location.assign(next);
      return 'leaving';
    },
  });
  return (
    <form {...form} action="/api/auth/link/finish" className="space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="token" type="hidden" value={token} />
      <input name="next" type="hidden" value={next} />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}
