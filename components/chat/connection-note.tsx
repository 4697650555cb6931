'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes, signInPath } from '../routes';
import { Alert } from '../ui/display/alert';
import type { Connection } from './use-thread';

export interface ConnectionNoteProps {
  connection: Connection;
  /** Path to return to after sign-in. */
  path: string;
}

/** Explains why no updates arrive. Shown only while the connection is lost. */
export function ConnectionNote({ connection, path }: ConnectionNoteProps): ReactNode {
  const t = useTranslations('chat.connectionNote');
  switch (connection) {
    case 'live':
      return null;
    case 'waiting':
      return <Note>{t('waiting')}</Note>;
    case 'offline':
      return <Note>{t('offline')}</Note>;
    case 'signed-out':
      return (
        <Note>
          {t.rich('signedOut', {
            link: (chunks) => (
              <a className="text-link" href={signInPath(path)}>
                {chunks}
              </a>
            ),
          })}
        </Note>
      );
    case 'gone':
      return (
        <Note>
          {t.rich('gone', {
            link: (chunks) => (
              <a className="text-link" href={routes.chat}>
                {chunks}
              </a>
            ),
          })}
        </Note>
      );
  }
}

function Note({ children }: { children: ReactNode }): ReactNode {
  return (
    <Alert className="mx-auto mb-2 w-full max-w-[46rem]" live="polite" tone="warn">
      {children}
    </Alert>
  );
}
