import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { SearchIcon } from '../ui/display/icons';
import { CommandPaletteShortcuts } from './command-palette-shortcuts';
import { NavLink } from './current-path';
import { HeaderSearch } from './header-search';
import { Logo } from './logo';
import { SignInLink } from './sign-in-link';
import { SiteMenu } from './site-menu';
import type { Theme } from './theme';
import type { ShellUser } from './user';
import { UserMenu } from './user-menu';

export interface SiteHeaderProps {
  user: ShellUser | null;
  theme: Theme;
  /** Full width, for work areas with a sidebar. */
  wide?: boolean;
}

/** The header of every page: home, main sections, search, and the user. */
export function SiteHeader({ user, theme, wide = false }: SiteHeaderProps): ReactNode {
  const t = useTranslations('shell.siteHeader');
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas print:hidden">
      <div className={clsx('flex h-(--header-height) items-center gap-2', wide ? 'px-4 lg:px-6' : 'page-x')}>
        <Link
          aria-label={t('home')}
          className="me-1 inline-flex min-h-10 items-center rounded-md sm:me-3 touch:min-h-11"
          href={routes.home}
          prefetch={false}
        >
          <Logo />
        </Link>
        <nav aria-label={t('main')} className="hidden items-center gap-1 sm:flex">
          <NavLink href={routes.catalog}>{t('agents')}</NavLink>
          {user ? <NavLink href={routes.chat}>{t('chat')}</NavLink> : null}
          <NavLink href={routes.console}>{t('console')}</NavLink>
          <NavLink href={routes.docs}>{t('docs')}</NavLink>
        </nav>
        <HeaderSearch />
        <div className="header-spacer flex-1 md:hidden" />
        <Link
          aria-label={t('search')}
          className="inline-flex size-10 items-center justify-center rounded-md hover:bg-sunken sm:hidden touch:size-11"
          href={routes.catalog}
        >
          <SearchIcon size={20} />
        </Link>
        <CommandPaletteShortcuts isAdmin={user?.isAdmin ?? false} signedIn={user !== null} />
        {user ? <UserMenu theme={theme} user={user} /> : <SignInLink className="max-[22rem]:hidden" />}
        <SiteMenu theme={theme} user={user} />
      </div>
    </header>
  );
}
