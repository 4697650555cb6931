'use client';

import type { ReactNode } from 'react';
import { PASSWORD_LENGTH, passwordFault } from '@/lib/identity/schema';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { FormProblem } from './form-problem';
import { PasswordField } from './password-field';
import { type Faults, type Fields, useForm } from './use-form';

export interface ResetFormProps {
  token: string;
  /** The address that the link was sent to. */
  email: string;
  next: string;
  error?: string | undefined;
}

/** A new password by the link from a mail; also works without script. */
export function ResetForm({ token, email, next, error }: ResetFormProps): ReactNode {
  const { form, pending, problem, faults } = useForm({
    path: '/api/auth/reset/finish',
    check: faultsFor(email),
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
      <Field id="email" label="E-mail address" required>
        {(control) => <Input {...control} autoComplete="username" readOnly type="email" value={email} />}
      </Field>
      <PasswordField
        autoComplete="new-password"
        error={faults.password}
        hint={`At least ${PASSWORD_LENGTH.min} characters, of any kind. Every browser is signed out but this one.`}
        label="New password"
        minLength={PASSWORD_LENGTH.min}
      />
      <Checkbox
        defaultChecked
        hint="Do it if somebody may have known your old password. Scripts that use a token stop working."
        label="Also sign out command lines and revoke access tokens"
        name="endTokens"
      />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        Set the password and sign in
      </Button>
    </form>
  );
}

function faultsFor(email: string): (fields: Fields) => Faults {
  return ({ password = '' }): Faults => {
    const weak = passwordFault(password, email);
    return weak ? { password: weak } : {};
  };
}
