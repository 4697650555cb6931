import { cookies } from 'next/headers';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { paymentSettings } from '../routes';
import { DateTime } from '../ui/display/date-time';
import { WarningIcon } from '../ui/display/icons';
import { OutsideWorkAreas } from './current-path';
import { DeviceWorker } from './root-effects';
import { SiteFooter } from './site-footer';
import { SiteHeader } from './site-header';
import { mainId, SkipLink } from './skip-link';
import { type Theme, themeCookie, themeOf } from './theme/theme';
import type { ShellUser } from './user-menu';

interface SiteShellProps {
  /** Null if no one is signed in. */
  user: ShellUser | null;
  children: ReactNode;
}

/** A document page: header, main and, outside of work areas, the footer. Its sections use `page-x` for the page width. */
export async function SiteShell({ user, children }: SiteShellProps): Promise<ReactNode> {
  const theme = await currentTheme();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <DeviceWorker texts={await offlineTexts()} userId={user?.id ?? null} />
      <SiteHeader theme={theme} user={user} />
      <RecoveryNotice user={user} />
      <main className="flex-1 outline-none" id={mainId} tabIndex={-1}>
        {children}
      </main>
      <OutsideWorkAreas>
        <SiteFooter theme={theme} />
      </OutsideWorkAreas>
    </div>
  );
}

interface FullHeightShellProps {
  user: ShellUser | null;
  /** Fills the window below the header. Must contain its own `<main id="main" tabIndex={-1}>`. */
  children: ReactNode;
}

/**
 * A work area that fills the window below the header and scrolls inside, such as the chat. In a very low window, the
 * page scrolls too.
 */
export async function FullHeightShell({ user, children }: FullHeightShellProps): Promise<ReactNode> {
  return (
    <div className="flex h-dvh min-h-80 flex-col">
      <SkipLink />
      <DeviceWorker texts={await offlineTexts()} userId={user?.id ?? null} />
      <SiteHeader theme={await currentTheme()} user={user} wide />
      <RecoveryNotice user={user} />
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}

/** Returns the theme that the request for this page asked for. */
export async function currentTheme(): Promise<Theme> {
  return themeOf((await cookies()).get(themeCookie)?.value);
}

/** Returns the texts of the page that the service worker displays without a network. */
async function offlineTexts(): Promise<Record<string, string>> {
  const t = await getTranslations('shell.offline');
  return {
    title: t('title'),
    lead: t('lead'),
    retry: t('retry'),
    saved: t('saved'),
    copy: t('copy'),
    you: t('you'),
  };
}

/** A notice on every page while the removal of all passkeys of the account is requested. */
function RecoveryNotice({ user }: { user: ShellUser | null }): ReactNode {
  const t = useTranslations('shell.recoveryNotice');
  if (!user?.recoveryDueAt) return null;
  const dueAt = user.recoveryDueAt;
  return (
    <aside aria-label={t('label')} className="border-b border-warn/35 bg-warn-soft text-sm print:hidden">
      <div className="page-x flex items-start gap-3 py-2">
        <WarningIcon className="mt-0.5 shrink-0 text-warn" />
        <p>
          {t.rich('text', { time: () => <DateTime at={dueAt} /> })}{' '}
          <Link className="text-link" href={paymentSettings('recovery')}>
            {t('cancel')}
          </Link>
        </p>
      </div>
    </aside>
  );
}
