'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { NewClientSecret } from '@/lib/tokens/schema';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { NewSecret } from './new-secret';

/** Makes a developer app and shows its secret once. */
export function AppForm(): ReactNode {
  const router = useRouter();
  const [made, setMade] = useState<NewClientSecret | null>(null);
  const { form, pending, problem, faults } = useForm({
    path: '/api/apps',
    check: missingIn,
    onDone(body, sent) {
      setMade(body as NewClientSecret);
      sent.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <div className="space-y-6">
      {made ? <NewSecret app={made} key={made.id} /> : null}
      <form {...form} className="max-w-lg space-y-5">
        <FormProblem problem={problem} />
        <Field
          error={faults.name}
          hint="Only you see it. One app can serve several of your agents."
          id="name"
          label="Name"
          required
        >
          {(control) => <Input {...control} autoComplete="off" maxLength={100} name="name" />}
        </Field>
        <Button pending={pending} tone="primary" type="submit">
          Create app
        </Button>
      </form>
    </div>
  );
}

function missingIn(fields: Fields): Faults {
  return fields.name?.trim() ? {} : { name: 'Enter a name, such as the name of your agent.' };
}
