'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { NAME_MAX, PASSWORD_LENGTH, passwordFault, withNext } from '@/lib/identity/schema';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { FormProblem } from './form-problem';
import { PasswordField } from './password-field';
import { type Faults, type Fields, useForm } from './use-form';

export interface SignUpFormProps {
  next: string;
  error?: string | undefined;
}

/** Asks for an account; also works without script. */
export function SignUpForm({ next, error }: SignUpFormProps): ReactNode {
  const router = useRouter();
  const { form, pending, problem, faults } = useForm({
    path: '/api/auth/sign-up',
    check: faultsIn,
    onDone() {
      router.push(withNext('/sign-up/sent', next));
      return 'leaving';
    },
  });
  return (
    <form {...form} action="/api/auth/sign-up" className="space-y-5">
      <FormProblem code={error} problem={problem} />
      <input name="next" type="hidden" value={next} />
      <Field error={faults.name} hint="What others see. You can change it later." id="name" label="Name" required>
        {(control) => <Input {...control} autoComplete="name" maxLength={NAME_MAX} name="name" />}
      </Field>
      <Field
        error={faults.email}
        hint="We send a link to it. Your account starts when you open that link."
        id="email"
        label="E-mail address"
        required
      >
        {(control) => <Input {...control} autoComplete="username" inputMode="email" name="email" type="email" />}
      </Field>
      <PasswordField
        autoComplete="new-password"
        error={faults.password}
        hint={`At least ${PASSWORD_LENGTH.min} characters, of any kind. A few words make a good one.`}
        label="Password"
        minLength={PASSWORD_LENGTH.min}
      />
      <Button className="w-full" pending={pending} tone="primary" type="submit">
        Sign up
      </Button>
    </form>
  );
}

function faultsIn({ name = '', email = '', password = '' }: Fields): Faults {
  const weak = passwordFault(password, email);
  return {
    ...(name.trim() ? {} : { name: 'Enter a name; it need not be your legal one.' }),
    ...(email.includes('@') ? {} : { email: 'Enter your e-mail address, such as name@example.org.' }),
    ...(weak ? { password: weak } : {}),
  };
}
