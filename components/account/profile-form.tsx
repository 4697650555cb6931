'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { NAME_MAX } from '@/lib/identity/schema';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { FormProblem } from './form-problem';
import { type Faults, type Fields, useForm } from './use-form';

export interface ProfileFormProps {
  name: string;
  email: string;
}

/** The person's name and, to look at, their address. */
export function ProfileForm({ name, email }: ProfileFormProps): ReactNode {
  const router = useRouter();
  const { form, pending, problem, faults } = useForm({
    method: 'PATCH',
    path: '/api/auth/profile',
    check: missingIn,
    toBody: (fields) => ({ name: fields.name }),
    onDone() {
      toast({ tone: 'good', text: 'Your name is saved.' });
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field
        error={faults.name}
        hint="What others see of you, such as the owners of agents."
        id="name"
        label="Name"
        required
      >
        {(control) => <Input {...control} autoComplete="name" defaultValue={name} maxLength={NAME_MAX} name="name" />}
      </Field>
      <Field hint="What you sign in with. It cannot be changed yet." id="email" label="E-mail address" required>
        {(control) => <Input {...control} autoComplete="email" readOnly type="email" value={email} />}
      </Field>
      <Button pending={pending} tone="primary" type="submit">
        Save
      </Button>
    </form>
  );
}

function missingIn({ name = '' }: Fields): Faults {
  return name.trim() ? {} : { name: 'Enter a name; it need not be your legal one.' };
}
