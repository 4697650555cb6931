'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { NewAccessToken } from '@/lib/tokens/schema';
import { Alert } from '../ui/alert';
import { announce } from '../ui/announcer';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { CodeBlock } from '../ui/code-block';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { FormProblem } from './form-problem';
import { scopes } from './scopes';
import { type Faults, type Fields, useForm } from './use-form';

/** Makes an access token and shows it once. */
export function TokenForm(): ReactNode {
  const router = useRouter();
  const [made, setMade] = useState<NewAccessToken | null>(null);
  const { form, pending, problem, faults } = useForm({
    path: '/api/auth/access-tokens',
    check: missingIn,
    toBody,
    onDone(body, sent) {
      setMade(body as NewAccessToken);
      announce('The access token is ready. Copy it now; it is shown only once.');
      sent.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <div className="space-y-6">
      {made ? <NewToken key={made.id} token={made.token} /> : null}
      <form {...form} className="max-w-lg space-y-5">
        <FormProblem problem={problem} />
        <Field
          error={faults.name}
          hint="What will use it, such as “laptop” or “nightly job”."
          id="name"
          label="Name"
          required
        >
          {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" />}
        </Field>
        <fieldset>
          <legend className="text-sm font-medium">What it may do</legend>
          <div className="mt-2 space-y-1">
            {scopes.map(({ id, label, hint }) => (
              <Checkbox defaultChecked={id !== 'pay'} hint={hint} key={id} label={label} name={`scope ${id}`} />
            ))}
          </div>
          {faults.scopes ? <p className="mt-2 text-sm text-danger">{faults.scopes}</p> : null}
        </fieldset>
        <Field id="expires" label="Expires" required>
          {(control) => (
            <Select {...control} defaultValue="90" name="expires">
              <option value="7">In 7 days</option>
              <option value="30">In 30 days</option>
              <option value="90">In 90 days</option>
              <option value="365">In a year</option>
              <option value="never">Never</option>
            </Select>
          )}
        </Field>
        <Button pending={pending} tone="primary" type="submit">
          Create token
        </Button>
      </form>
    </div>
  );
}

/** Takes the focus, and so the view: on a phone it stands far above the button that made it. */
function NewToken({ token }: { token: string }): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);
  return (
    <section
      aria-label="New access token"
      className="max-w-2xl scroll-mt-24 space-y-3 outline-none"
      ref={panel}
      tabIndex={-1}
    >
      <Alert title="Copy this token now" tone="warn">
        It is shown only this once. Keep it like a password: whoever has it can act as you.
      </Alert>
      <CodeBlock code={token} label="the access token" />
    </section>
  );
}

function chosenScopes(fields: Fields): string[] {
  return scopes.map(({ id }) => id).filter((id) => `scope ${id}` in fields);
}

function missingIn(fields: Fields): Faults {
  return {
    ...(fields.name?.trim() ? {} : { name: 'Enter a name, so that you know later what this token is for.' }),
    ...(chosenScopes(fields).length > 0 ? {} : { scopes: 'Choose at least one thing that the token may do.' }),
  };
}

function toBody(fields: Fields): object {
  const { name, expires } = fields;
  return {
    name,
    scopes: chosenScopes(fields),
    ...(expires === 'never' ? {} : { expiresInDays: Number(expires) }),
  };
}
