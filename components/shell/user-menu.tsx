import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { paymentSettings, routes } from '../routes';
import { Avatar } from '../ui/display/avatar';
import { NavLink } from './current-path';
import { PopoverMenu } from './popover-menu';
import type { Theme } from './theme/theme';
import { ThemeSwitcher } from './theme/theme-switcher';

interface UserMenuProps {
  user: ShellUser;
  theme: Theme;
}

/** The signed-in user, links to their pages, and sign-out. Phones have the `SiteMenu` instead. */
export function UserMenu({ user, theme }: UserMenuProps): ReactNode {
  const t = useTranslations('shell.userMenu');
  return (
    <PopoverMenu
      className="hidden sm:block"
      face={
        <span className="relative">
          <Avatar className="rounded-full" name={user.name} seed={user.email} size={30} />
          {user.hasAlerts ? (
            <span className="absolute -end-0.5 -top-0.5 rounded-full border-2 border-canvas">
              <AlertsDot />
            </span>
          ) : null}
        </span>
      }
      id="user-menu"
      label={t(user.hasAlerts ? 'labelWithAlerts' : 'label', { name: user.name })}
    >
      <div className="px-2.5 pt-1.5 pb-2.5">
        <p className="truncate text-sm font-medium">{user.name}</p>
        <p className="truncate text-sm text-muted">{user.email}</p>
      </div>
      <nav aria-label={t('account')} className="border-t border-line py-1.5">
        {user.hasAlerts ? <AlertsLink /> : null}
        <NavLink href={routes.chat} variant="row">
          {t('conversations')}
        </NavLink>
        <NavLink href={routes.orders} variant="row">
          {t('orders')}
        </NavLink>
        <NavLink href={routes.console} variant="row">
          {t('console')}
        </NavLink>
        <NavLink href={routes.settings} variant="row">
          {t('settings')}
        </NavLink>
        {user.isAdmin ? (
          <NavLink href={routes.moderation} variant="row">
            {t('admin')}
          </NavLink>
        ) : null}
      </nav>
      <div className="flex items-center justify-between border-t border-line px-2.5 py-2 text-sm text-muted">
        {t('theme')}
        <ThemeSwitcher theme={theme} />
      </div>
      <div className="border-t border-line pt-1.5">
        <NavLink href={routes.signOut} variant="row">
          {t('signOut')}
        </NavLink>
      </div>
    </PopoverMenu>
  );
}

/** The signed-in user as displayed in the shell. */
export interface ShellUser {
  id: string;
  name: string;
  email: string;
  /** True for a moderator, who sees the entry "Admin". */
  isAdmin: boolean;
  /** True if there are spending alerts that the user has not seen. */
  hasAlerts: boolean;
  /** The time at which a requested recovery removes all passkeys; null if no recovery is requested. */
  recoveryDueAt: string | null;
}

/** An entry of the account menu while there are spending alerts that the user has not seen. */
export function AlertsLink(): ReactNode {
  const t = useTranslations('shell.alertsLink');
  return (
    <NavLink href={paymentSettings('alerts')} variant="row">
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
