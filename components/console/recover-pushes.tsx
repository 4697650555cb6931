'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { FormProblem } from '../account/form-problem';
import { useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';

/** Sends everything of a time again that nobody took. */
export function RecoverPushes(): ReactNode {
  const router = useRouter();
  const { form, pending, problem, faults } = useForm({
    path: '/api/push/dead-letters/recover',
    check: ({ from, to }) => ({
      ...(from ? {} : { from: 'Choose when to begin.' }),
      ...(to ? {} : { to: 'Choose when to end.' }),
    }),
    toBody: ({ from = '', to = '' }) => ({ from: `${from}:00.000Z`, to: `${to}:00.000Z` }),
    onDone(body) {
      const { taken, failed, more } = body as { taken: number; failed: number; more: boolean };
      const text = `${taken} taken, ${failed} failed again${more ? '; more are left' : ''}.`;
      toast({ tone: failed === 0 ? 'good' : 'danger', text });
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} aria-label="Recover a time" className="mb-6 space-y-3">
      <FormProblem problem={problem} />
      <div className="flex flex-wrap items-end gap-4">
        <Field error={faults.from} id="recover-from" label="From (UTC)" required>
          {(control) => <Input {...control} name="from" type="datetime-local" />}
        </Field>
        <Field error={faults.to} id="recover-to" label="To (UTC)" required>
          {(control) => <Input {...control} name="to" type="datetime-local" />}
        </Field>
        <Button pending={pending} type="submit">
          Send all of this time again
        </Button>
      </div>
    </form>
  );
}
