'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { InvitationView } from '@/lib/catalog/schema-team';
import { ConfirmDialog } from '../account/confirm-dialog';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { formatDate } from '../ui/format-date';

/** Invitations into a team that wait for an answer. */
export function InvitationList({ slug, invitations }: { slug: string; invitations: InvitationView[] }): ReactNode {
  const router = useRouter();
  return (
    <Card>
      <ul className="divide-y divide-line">
        {invitations.map(({ id, email, role, expiresAt }) => (
          <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 text-sm" key={id}>
            <p className="min-w-0 [overflow-wrap:anywhere]">
              {email} as {role}, open until <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>
            </p>
            <ConfirmDialog
              action="Take back"
              onDone={() => router.refresh()}
              path={`/api/agents/${encodeURIComponent(slug)}/invitations/${id}`}
              title={`Take the invitation of ${email} back?`}
              trigger={<Button aria-label={`Take the invitation of ${email} back`}>Take back</Button>}
            >
              Its link opens nothing any more.
            </ConfirmDialog>
          </li>
        ))}
      </ul>
    </Card>
  );
}
