'use client';

import type { ReactNode } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { FormProblem } from './form-problem';
import { PasswordField } from './password-field';
import { type Faults, type Fields, useForm } from './use-form';

export interface SignInFormProps {
  /** Where to go afterwards: a path of ours. */
  next: string;
  reason?: string | undefined;
  error?: string | undefined;
}

/** Sign-in by e-mail address and password; also works without script. */
export function SignInForm({ next, reason, error }: SignInFormProps): ReactNode {
  const { form, pending, problem, faults } = useForm({
    path: '/api/auth/local',
    check: missingIn,
    onDone() {
      // A whole new page: everything on it is read again as this person.
      window.location.assign(next);
      return 'leaving';
    },
  });
  return (
    <form {...form} action="/api/auth/local" className="space-y-5" method="post">
      <FormProblem code={error} problem={problem} />
      <input name="next" type="hidden" value={next} />
      {reason ? <input name="reason" type="hidden" value={reason} /> : null}
      <Field error={faults.email} id="email" label="E-mail address" required>
        {(control) => <Input {...control} autoComplete="username" inputMode="email" name="email" type="email" />}
      </Field>
      <PasswordField autoComplete="current-password" error={faults.password} label="Password" />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        Sign in
      </Button>
    </form>
  );
}

function missingIn({ email, password }: Fields): Faults {
  return {
    ...(email?.includes('@') ? {} : { email: 'Enter your e-mail address, such as name@example.org.' }),
    ...(password ? {} : { password: 'Enter your password.' }),
  };
}
