import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { MenuIcon } from '../ui/display/icons';
import { NavLink } from './current-path';
import { PopoverMenu } from './popover-menu';
import { SignInLink } from './sign-in-link';
import type { Theme } from './theme/theme';
import { ThemeSwitcher } from './theme/theme-switcher';
import { AlertsDot, AlertsLink, type ShellUser } from './user-menu';

export interface SiteMenuProps {
  /** Null if no one is signed in. */
  user: ShellUser | null;
  theme: Theme;
}

const open = ['catalog', 'collections', 'compare', 'docs', 'status'] as const;
const own = ['chat', 'orders', 'console', 'settings'] as const;

/** The menu of phones, with all links of the header, the account menu and the footer of larger windows. */
export function SiteMenu({ user, theme }: SiteMenuProps): ReactNode {
  const t = useTranslations('shell.siteMenu');
  return (
    <PopoverMenu
      className="sm:hidden"
      face={
        <span className="relative">
          <MenuIcon size={22} />
          {user?.hasAlerts ? (
            <span className="absolute -end-1 -top-1">
              <AlertsDot />
            </span>
          ) : null}
        </span>
      }
      id="site-menu"
      label={t(user?.hasAlerts ? 'labelWithAlerts' : 'label')}
    >
      {user ? (
        <div className="px-2.5 pb-2.5">
          <p className="truncate font-medium">{user.name}</p>
          <p className="truncate text-sm text-muted">{user.email}</p>
        </div>
      ) : (
        <div className="grid grid-cols-2 gap-2 px-1 pb-3">
          <SignInLink to="signUp" tone="secondary" />
          <SignInLink to="signIn" tone="primary" />
        </div>
      )}
      {user ? (
        <nav aria-label={t('account')} className="grid grid-cols-2 border-t border-line py-1.5">
          {user.hasAlerts ? (
            <div className="col-span-2">
              <AlertsLink />
            </div>
          ) : null}
          {own.map((page) => (
            <NavLink href={routes[page]} key={page} variant="row">
              {t(page)}
            </NavLink>
          ))}
          {user.isAdmin ? (
            <NavLink href={routes.moderation} variant="row">
              {t('admin')}
            </NavLink>
          ) : null}
        </nav>
      ) : null}
      <nav aria-label={t('market')} className="grid grid-cols-2 border-t border-line py-1.5">
        {open.map((page) => (
          <NavLink href={routes[page]} key={page} variant="row">
            {t(page)}
          </NavLink>
        ))}
        {user ? null : (
          <NavLink href={routes.console} variant="row">
            {t('console')}
          </NavLink>
        )}
      </nav>
      <div className="flex items-center justify-between border-t border-line px-2.5 pt-2 text-sm text-muted">
        {t('theme')}
        <ThemeSwitcher theme={theme} />
      </div>
      {user ? (
        <div className="mt-2 border-t border-line pt-1.5">
          <NavLink href={routes.signOut} variant="row">
            {t('signOut')}
          </NavLink>
        </div>
      ) : null}
    </PopoverMenu>
  );
}
