'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { PASSWORD_LENGTH } from '@/lib/identity/limits';
import { passwordError } from '@/lib/identity/schema';
import { FormProblem } from '../../forms/form-problem';
import { Checkbox } from '../../forms/inputs';
import { PasswordField } from '../../forms/password-field';
import { Reauthenticate } from '../../forms/reauthenticate';
import { useForm } from '../../forms/use-form';
import { settingsRoutes } from '../../settings-routes';
import { Button } from '../../ui/controls/button';
import { toast } from '../../ui/overlays/toast';

export interface PasswordFormProps {
  email: string;
  /** False for an account that uses a sign-in provider and has no password yet. */
  hasPassword: boolean;
  error?: string | undefined;
}

/** Changes the password, or sets the first one. Also works without JavaScript. */
export function PasswordForm({ email, hasPassword, error }: PasswordFormProps): ReactNode {
  const t = useTranslations('account.passwordForm');
  const [has, setHas] = useState(hasPassword);
  const { form, pending, problem, fieldErrors } = useForm({
    method: 'PUT',
    path: '/api/auth/password',
    check({ current, password = '' }) {
      const weak = passwordError(password, email);
      return {
        ...(has && !current ? { current: t('currentMissing') } : {}),
        ...(weak ? { password: weak } : {}),
      };
    },
    toBody: ({ current = '', password, ...boxes }) => ({ current, password, endTokens: 'endTokens' in boxes }),
    onDone(_body, element) {
      element.reset();
      setHas(true);
      toast({ tone: 'good', text: t('saved') });
      return 'staying';
    },
  });
  if ((problem?.code ?? error) === 'sign_in_again')
    return <Reauthenticate returnTo={settingsRoutes.password} what="setPassword" />;
  return (
    <form {...form} action="/api/auth/password" className="max-w-lg space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="next" type="hidden" value={settingsRoutes.password} />
      <input autoComplete="username" hidden name="email" readOnly value={email} />
      {has ? (
        <PasswordField
          autoComplete="current-password"
          error={fieldErrors.current}
          label={t('current')}
          name="current"
        />
      ) : null}
      <PasswordField
        autoComplete="new-password"
        error={fieldErrors.password}
        hint={t('passwordHint', { min: PASSWORD_LENGTH.min })}
        label={t('password')}
        minLength={PASSWORD_LENGTH.min}
      />
      <Checkbox hint={t('endTokensHint')} label={t('endTokens')} name="endTokens" />
      <Button pending={pending} tone="primary" type="submit">
        {t(has ? 'change' : 'set')}
      </Button>
    </form>
  );
}
