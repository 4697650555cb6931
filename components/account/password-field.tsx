'use client';

import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

export interface PasswordFieldProps {
  label: string;
  hint?: string;
  error?: string | undefined;
  /** `new-password` lets password managers offer one. */
  autoComplete: 'current-password' | 'new-password';
  minLength?: number;
  maxLength?: number;
}

/** A password that can be shown, pasted and filled in by a password manager. */
export function PasswordField({ label, hint, error, ...input }: PasswordFieldProps): ReactNode {
  const [shown, setShown] = useState(false);
  return (
    <Field error={error} hint={hint} id="password" label={label} required>
      {(control) => (
        <span className="flex gap-2">
          <Input
            {...control}
            {...input}
            autoCapitalize="none"
            autoCorrect="off"
            className="min-w-0 flex-1"
            name="password"
            spellCheck={false}
            type={shown ? 'text' : 'password'}
          />
          <Button aria-label="Show password" aria-pressed={shown} onClick={() => setShown(!shown)}>
            {shown ? 'Hide' : 'Show'}
          </Button>
        </span>
      )}
    </Field>
  );
}
