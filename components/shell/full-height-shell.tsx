import type { ReactNode } from 'react';
import { currentTheme } from './current-theme';
import { RecoveryNotice } from './recovery-notice';
import { SiteHeader } from './site-header';
import { SkipLink } from './skip-link';
import type { ShellUser } from './user';

export interface FullHeightShellProps {
  user: ShellUser | null;
  /** Fills the window below the header; brings its own `<main id="main" tabIndex={-1}>`. */
  children: ReactNode;
}

/**
 * A work area that fills the window below the header and scrolls inside: the chat. In a very low window the page
 * scrolls too.
 */
export async function FullHeightShell({ user, children }: FullHeightShellProps): Promise<ReactNode> {
  return (
    <div className="flex h-dvh min-h-80 flex-col">
      <SkipLink />
      <SiteHeader theme={await currentTheme()} user={user} wide />
      <RecoveryNotice user={user} />
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}
