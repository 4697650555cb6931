'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { InvitationView } from '@/lib/catalog/schema-team';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input, Select } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { CodeBlock } from '../../ui/display/code-block';
import { useFormat } from '../../ui/display/format';

/** Invites a user to the team by email. The link is displayed once, so that it can also be shared in other ways. */
export function InviteForm({ slug }: { slug: string }): ReactNode {
  const t = useTranslations('console.inviteForm');
  const router = useRouter();
  const [sent, setSent] = useState<(InvitationView & { url: string }) | null>(null);
  const { form, pending, problem, fieldErrors } = useForm({
    path: `/api/agents/${encodeURIComponent(slug)}/invitations`,
    check: ({ email = '' }): FieldErrors => (email.includes('@') ? {} : { email: t('emailMissing') }),
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
            error={fieldErrors.email}
            id="invite-email"
            label={t('email')}
            required
          >
            {(control) => <Input {...control} autoComplete="off" name="email" type="email" />}
          </Field>
          <Field id="invite-role" label={t('role')} required>
            {(control) => (
              <Select {...control} name="role">
                <option value="developer">{t('roles.developer')}</option>
                <option value="viewer">{t('roles.viewer')}</option>
              </Select>
            )}
          </Field>
          <Button pending={pending} tone="primary" type="submit">
            {t('invite')}
          </Button>
        </div>
      </form>
      {sent ? (
        <>
          <Alert live="polite" tone="good">
            {t('invited', { email: sent.email, role: sent.role })}
          </Alert>
          <CodeBlock code={sent.url} label={t('link')} />
        </>
      ) : null}
    </div>
  );
}

/** Pending invitations into a team. */
export function InvitationList({ slug, invitations }: { slug: string; invitations: InvitationView[] }): ReactNode {
  const t = useTranslations('console.invitationList');
  const format = useFormat();
  const router = useRouter();
  return (
    <Card>
      <ul className="divide-y divide-line">
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 text-sm" key={id}>
            <p className="min-w-0 [overflow-wrap:anywhere]">
              {t.rich('invitation', {
                email,
                role,
                end: format.date(expiresAt),
                time: (end) => <time dateTime={expiresAt}>{end}</time>,
              })}
            </p>
            <ConfirmDialog
              action={t('takeBack')}
              onDone={() => router.refresh()}
              path={`/api/agents/${encodeURIComponent(slug)}/invitations/${id}`}
              title={t('takeBackConfirm', { email })}
              trigger={<Button aria-label={t('takeBackLabel', { email })}>{t('takeBack')}</Button>}
            >
              {t('takeBackNote')}
            </ConfirmDialog>
          </li>
        ))}
      </ul>
    </Card>
  );
}
