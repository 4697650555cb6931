import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { DateTime } from '../ui/display/date-time';
import { WarningIcon } from '../ui/display/icons';
import type { ShellUser } from './user';

/** On every page while someone requests to remove all passkeys of the account. */
export function RecoveryNotice({ user }: { user: ShellUser | null }): ReactNode {
  const t = useTranslations('shell.recoveryNotice');
  if (!user?.recoveryDueAt) return null;
  const dueAt = user.recoveryDueAt;
  return (
    <aside aria-label={t('label')} className="border-b border-warn/35 bg-warn-soft text-sm print:hidden">
      <div className="page-x flex items-start gap-3 py-2">
        <WarningIcon className="mt-0.5 shrink-0 text-warn" />
        <p>
          {t.rich('text', { time: () => <DateTime at={dueAt} /> })}{' '}
          <Link className="text-link" href={`${routes.payments}#recovery`}>
            {t('cancel')}
          </Link>
        </p>
      </div>
    </aside>
  );
}
