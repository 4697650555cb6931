import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_QUERY_LENGTH } from '@/lib/discovery/limits';
import { routes } from '../routes';
import { SearchIcon } from '../ui/display/icons';
import { NavLink } from './current-path';
import { CommandPaletteShortcuts } from './palette/command-palette-shortcuts';
import { SignInLink } from './sign-in-link';
import { SiteMenu } from './site-menu';
import type { Theme } from './theme/theme';
import { type ShellUser, UserMenu } from './user-menu';

interface SiteHeaderProps {
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

/** The logo: the signal flag P with the tail of a speech bubble, readable as both. */
function Mark(): ReactNode {
  return (
    <svg aria-hidden="true" className="text-accent" focusable="false" height="28" viewBox="0 0 32 32" width="28">
      <path
        d="M6 2h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H13.2l-8.8 6.5A1.5 1.5 0 0 1 2 29.3V6a4 4 0 0 1 4-4zM11 8.5v9h10v-9z"
        fill="currentColor"
        fillRule="evenodd"
      />
    </svg>
  );
}

/** Mark and name. */
function Logo(): ReactNode {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-[-0.035em]">
      <Mark />
      <span className="text-[1.3125rem] leading-none">Parley</span>
    </span>
  );
}

/** The search box of the header. Hidden on a page with its own search (`data-own-search` in globals.css). */
function HeaderSearch(): ReactNode {
  const t = useTranslations('shell.headerSearch');
  return (
    <search className="header-search hidden min-w-0 flex-1 md:block">
      <form action={routes.catalog} className="relative ms-auto max-w-72">
        <SearchIcon className="pointer-events-none absolute top-1/2 start-3 -translate-y-1/2 text-muted" size={16} />
        <input
          aria-label={t('label')}
          className="min-h-9 w-full rounded-md border border-line-strong bg-surface pe-3 ps-9 text-sm touch:min-h-11 touch:text-base"
          maxLength={MAX_QUERY_LENGTH}
          name="q"
          placeholder={t('label')}
          type="search"
        />
      </form>
    </search>
  );
}
