'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes, spendingPath } from '../../routes';
import { NavLink } from '../../shell/current-path';
import { ChevronDownIcon } from '../../ui/display/icons';

const pages = [
  'profile',
  'publisher',
  'password',
  'sessions',
  'accessTokens',
  'connectedApps',
  'connectedAgents',
  'pushReceivers',
  'payments',
  'spending',
  'savedSearches',
  'notifications',
  'activity',
  'ownData',
] as const;

const paths = { ...routes, spending: spendingPath };

/**
 * Links to the account pages: a column, or on phones a menu that names the current page and closes when the page
 * changes.
 */
export function SettingsNav(): ReactNode {
  const t = useTranslations('account.settingsFrame');
  const path = usePathname();
  const current = pages.find((name) => path.startsWith(paths[name])) ?? 'profile';
  const links = pages.map((name) => (
    <NavLink href={paths[name]} key={name} variant="row">
      {t(`places.${name}`)}
    </NavLink>
  ));
  return (
    <nav aria-label={t('settings')}>
      <details className="rounded-md border border-line-strong bg-surface md:hidden" key={current}>
        <summary className="bare-summary flex min-h-11 items-center justify-between gap-3 px-3 text-sm font-medium">
          {t('menu', { page: t(`places.${current}`) })}
          <ChevronDownIcon className="chevron" size={16} />
        </summary>
        <div className="grid grid-cols-2 gap-1 border-t border-line p-1.5">{links}</div>
      </details>
      <div className="-mx-2.5 flex flex-col gap-1 max-md:hidden">{links}</div>
    </nav>
  );
}
