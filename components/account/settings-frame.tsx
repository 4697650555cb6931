import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { NavLink } from '../shell/nav-link';
import { routes } from '../shell/routes';

const pages = [
  'profile',
  'publisher',
  'password',
  'sessions',
  'accessTokens',
  'connectedAgents',
  'pushReceivers',
  'payments',
  'savedSearches',
  'notifications',
  'activity',
  'ownData',
] as const;

/** Navigation of the account pages. */
export function SettingsFrame({ children }: { children: ReactNode }): ReactNode {
  const t = useTranslations('account.settingsFrame');
  return (
    <div className="page-x grid gap-x-12 gap-y-6 py-8 md:grid-cols-[11rem_minmax(0,1fr)] md:py-12">
      <nav aria-label={t('settings')} className="-mx-2.5 flex flex-wrap gap-1 md:flex-col md:flex-nowrap">
        {pages.map((routeName) => (
          <NavLink href={routes[routeName]} key={routeName} variant="row">
            {t(`places.${routeName}`)}
          </NavLink>
        ))}
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
