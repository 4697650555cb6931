import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../../routes';
import { NavLink } from '../../shell/current-path';

/** Navigation of the console. */
export function ConsoleFrame({ children }: { children: ReactNode }): ReactNode {
  const t = useTranslations('console.consoleFrame');
  return (
    <div className="page-x grid gap-x-12 gap-y-6 py-8 md:grid-cols-[11rem_minmax(0,1fr)] md:py-12">
      <nav
        aria-label={t('label')}
        className="flex gap-1 overflow-x-auto max-md:scroll-hint max-md:*:shrink-0 md:flex-col"
      >
        <NavLink href={routes.console} variant="row" within={routes.ownAgents}>
          {t('agents')}
        </NavLink>
        <NavLink href={routes.sales} variant="row">
          {t('sales')}
        </NavLink>
        <NavLink href={routes.income} variant="row">
          {t('income')}
        </NavLink>
        <NavLink href={routes.apps} variant="row">
          {t('apps')}
        </NavLink>
        <NavLink href={routes.pushes} variant="row">
          {t('pushes')}
        </NavLink>
      </nav>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
