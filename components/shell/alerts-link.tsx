import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { spendingPath } from '../routes';
import { NavLink } from './current-path';

/** An entry of the account menu, while there are spending alerts that the user has not seen. */
export function AlertsLink(): ReactNode {
  const t = useTranslations('shell.alertsLink');
  return (
    <NavLink href={`${spendingPath}#alerts`} variant="row">
      <span className="flex items-center gap-2">
        <AlertsDot />
        {t('label')}
      </span>
    </NavLink>
  );
}

/** A dot next to links to new alerts. */
export function AlertsDot(): ReactNode {
  return <span aria-hidden="true" className="block size-2 shrink-0 rounded-full bg-accent" />;
}
