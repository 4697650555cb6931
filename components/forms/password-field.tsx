'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/controls/button';
import { Field } from './field';
import { Input } from './inputs';

export interface PasswordFieldProps {
  label: string;
  /** Name of the field; defaults to `password`. */
  name?: 'password' | 'current';
  hint?: string;
  error?: string | undefined;
  /** With `new-password`, password managers can suggest a new one. */
  autoComplete: 'current-password' | 'new-password';
  minLength?: number;
}

/** A password that can be revealed, pasted and filled in by a password manager. */
export function PasswordField({ label, name = 'password', hint, error, ...input }: PasswordFieldProps): ReactNode {
  const t = useTranslations('account.passwordField');
  const [shown, setShown] = useState(false);
  return (
    <Field error={error} hint={hint} id={`${name}-field`} label={label} required>
      {(control) => (
        <span className="flex gap-2">
          <Input
            {...control}
            {...input}
            autoCapitalize="none"
            autoCorrect="off"
            className="min-w-0 flex-1"
            name={name}
            spellCheck={false}
            type={shown ? 'text' : 'password'}
          />
          <Button
            aria-label={t(name === 'password' ? 'showPassword' : 'showCurrent')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            {t(shown ? 'hide' : 'show')}
          </Button>
        </span>
      )}
    </Field>
  );
}
