'use client';

import type { ReactNode } from 'react';
import { SignInAgain } from '../payments/sign-in-again';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { FormProblem } from './form-problem';
import { PasswordField } from './password-field';
import { type Faults, type Fields, useForm } from './use-form';

export interface DeleteAccountProps {
  email: string;
  /** False for people who sign in elsewhere: they prove themselves by a fresh sign-in and the address. */
  hasPassword: boolean;
}

/** The way out for good: says what goes and what stays, and asks for what only its owner would type. */
export function DeleteAccount({ email, hasPassword }: DeleteAccountProps): ReactNode {
  const { form, pending, problem, faults } = useForm({
    path: '/api/account/deletion',
    check: (fields) => faultsIn(fields, { email, hasPassword }),
    onDone() {
      window.location.assign('/');
      return 'leaving';
    },
  });
  return (
    <section aria-labelledby="delete-title" className="space-y-3">
      <h2 className="text-lg font-semibold" id="delete-title">
        Delete your account
      </h2>
      <p className="text-muted">
        This cannot be undone. You are signed out everywhere, and your access tokens and apps stop working at once. Work
        that agents still do for you is cancelled. Your profile, conversations, grants and apps are removed; agents that
        you listed are withdrawn, and those who used them keep their name and card in their own conversations. What
        stays of you in the activity log are numbers without your name, address or words.
      </p>
      <Card className="p-5">
        <form {...form} className="space-y-5">
          {problem?.code === 'sign_in_again' ? (
            <SignInAgain returnTo={routes.ownData} what="deleteAccount" />
          ) : (
            <FormProblem problem={problem} />
          )}
          <Field
            error={faults.email}
            hint={
              <>
                Type <span className="font-mono break-all text-ink">{email}</span> to confirm.
              </>
            }
            id="email"
            label="E-mail address"
            required
          >
            {(control) => <Input {...control} autoComplete="off" name="email" type="email" />}
          </Field>
          {hasPassword ? (
            <PasswordField autoComplete="current-password" error={faults.password} label="Password" />
          ) : null}
          <Button pending={pending} tone="danger" type="submit">
            Delete account
          </Button>
        </form>
      </Card>
    </section>
  );
}

function faultsIn(fields: Fields, { email, hasPassword }: DeleteAccountProps): Faults {
  const faults: Faults = {};
  if (fields.email?.trim().toLowerCase() !== email) faults.email = `Type ${email}, the address of this account.`;
  if (hasPassword && !fields.password) faults.password = 'Enter your password.';
  return faults;
}
