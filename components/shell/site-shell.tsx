import type { ReactNode } from 'react';
import { OutsideWorkAreas } from './current-path';
import { currentTheme } from './current-theme';
import { RecoveryNotice } from './recovery-notice';
import { SiteFooter } from './site-footer';
import { SiteHeader } from './site-header';
import { mainId, SkipLink } from './skip-link';
import type { ShellUser } from './user';

export interface SiteShellProps {
  /** Null without a session. */
  user: ShellUser | null;
  children: ReactNode;
}

/** A document page: header, main and, outside of work areas, the footer. Its sections use `page-x` for the page width. */
export async function SiteShell({ user, children }: SiteShellProps): Promise<ReactNode> {
  const theme = await currentTheme();
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
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
