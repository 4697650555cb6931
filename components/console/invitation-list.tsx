'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { InvitationView } from '@/lib/catalog/schema-team';
import { ConfirmDialog } from '../forms/confirm-dialog';
import { Button } from '../ui/controls/button';
import { Card } from '../ui/display/card';
import { useFormat } from '../ui/display/format';

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
