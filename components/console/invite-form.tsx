'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { InvitationView } from '@/lib/catalog/schema-team';
import { FormProblem } from '../account/form-problem';
import { type Faults, type Fields, useForm } from '../account/use-form';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Select } from '../ui/select';

/** Invites a person into the team by e-mail; the link is shown once, for handing it over in another way. */
export function InviteForm({ slug }: { slug: string }): ReactNode {
  const router = useRouter();
  const [sent, setSent] = useState<(InvitationView & { url: string }) | null>(null);
  const { form, pending, problem, faults } = useForm({
    path: `/api/agents/${encodeURIComponent(slug)}/invitations`,
    check: missingIn,
    onDone(body, element) {
      setSent(body as InvitationView & { url: string });
      element.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <div className="max-w-2xl space-y-5">
      <form {...form} className="space-y-5">
        <FormProblem problem={problem} />
        <div className="flex flex-wrap items-end gap-4">
          <Field
            className="min-w-0 flex-1 basis-64"
            error={faults.email}
            id="invite-email"
            label="E-mail address"
            required
          >
            {(control) => <Input {...control} autoComplete="off" name="email" type="email" />}
          </Field>
          <Field id="invite-role" label="Role" required>
            {(control) => (
              <Select {...control} name="role">
                <option value="developer">developer</option>
                <option value="viewer">viewer</option>
              </Select>
            )}
          </Field>
          <Button pending={pending} tone="primary" type="submit">
            Invite
          </Button>
        </div>
      </form>
      {sent ? (
        <>
          <Alert live="polite" tone="good">
            {sent.email} is invited as {sent.role}. The link works for an account with that address alone.
          </Alert>
          <CodeBlock code={sent.url} label="the link of the invitation" />
        </>
      ) : null}
    </div>
  );
}

function missingIn({ email = '' }: Fields): Faults {
  return email.includes('@') ? {} : { email: 'Enter the e-mail address of their account.' };
}
