'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import { callApi } from '../account/call-api';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';
import { toast } from '../ui/toast';

/** What people read on the agent's page: a note, that it is under maintenance, or that another one takes its place. */
export function NoticeForm({ agent: { slug, notice } }: { agent: OwnAgent }): ReactNode {
  const router = useRouter();
  const [kind, setKind] = useState(notice?.kind ?? 'note');
  const path = `/api/agents/${encodeURIComponent(slug)}`;
  const { form, pending, problem, faults } = useForm({
    method: 'PATCH',
    path,
    check: missingIn,
    toBody: ({ text = '', replacement = '' }) => ({
      ...statusFor(kind, notice?.kind),
      notice: { kind, text, ...(kind === 'deprecated' && replacement.trim() && { replacement: replacement.trim() }) },
    }),
    onDone() {
      toast({ tone: 'good', text: 'People read it on the agent’s page.' });
      router.refresh();
      return 'staying';
    },
  });

  async function remove(): Promise<void> {
    const back = notice?.kind === 'deprecated' ? { status: 'active' } : {};
    const answer = await callApi('PATCH', path, { notice: null, ...back });
    toast(answer.ok ? { tone: 'good', text: 'The notice is gone.' } : { tone: 'danger', text: answer.problem.title });
    router.refresh();
  }

  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field id="notice-kind" label="What it is" required>
        {({ required: _, ...control }) => (
          <Select {...control} onChange={(event) => setKind(event.target.value as typeof kind)} value={kind}>
            <option value="note">A note</option>
            <option value="maintenance">Under maintenance</option>
            <option value="deprecated">Deprecated</option>
          </Select>
        )}
      </Field>
      <Field error={faults.text} hint="At most 200 characters." id="notice-text" label="What people read" required>
        {(control) => (
          <Input {...control} autoComplete="off" defaultValue={notice?.text ?? ''} maxLength={200} name="text" />
        )}
      </Field>
      {kind === 'deprecated' ? (
        <Field
          error={faults.replacement}
          hint="The name in its address."
          id="notice-replacement"
          label="Agent to use in its place"
        >
          {(control) => (
            <Input {...control} autoComplete="off" defaultValue={notice?.replacement ?? ''} name="replacement" />
          )}
        </Field>
      ) : null}
      <p className="flex flex-wrap gap-2">
        <Button pending={pending} tone="primary" type="submit">
          Show it
        </Button>
        {notice ? <Button onClick={() => void remove()}>Remove the notice</Button> : null}
      </p>
    </form>
  );
}

/** The status goes with the notice that says so; every other notice leaves it as it is. */
function statusFor(kind: string, before: string | undefined): { status?: 'active' | 'deprecated' } {
  if (kind === 'deprecated') return { status: 'deprecated' };
  return before === 'deprecated' ? { status: 'active' } : {};
}

function missingIn({ text = '', replacement = '' }: Fields): Faults {
  return text.trim() || replacement.trim() ? {} : { text: 'Enter what people should know.' };
}
