'use client';

import type { ReactNode } from 'react';
import { routes, signInPath } from '../shell/routes';
import { Alert } from '../ui/alert';
import type { Connection } from './use-thread';

export interface ConnectionNoteProps {
  connection: Connection;
  /** Where to come back to after signing in. */
  path: string;
}

/** Says why nothing new comes, while nothing new comes. */
export function ConnectionNote({ connection, path }: ConnectionNoteProps): ReactNode {
  switch (connection) {
    case 'live':
      return null;
    case 'waiting':
      return <Note>The connection to Parley was lost. Trying again; nothing is lost meanwhile.</Note>;
    case 'offline':
      return <Note>You are offline. What the agent writes meanwhile will be here when you are back.</Note>;
    case 'signed-out':
      return (
        <Note>
          You were signed out.{' '}
          <a className="text-link" href={signInPath(path)}>
            Sign in
          </a>{' '}
          to go on; what you wrote stays here.
        </Note>
      );
    case 'gone':
      return (
        <Note>
          This conversation was deleted.{' '}
          <a className="text-link" href={routes.chat}>
            To your conversations
          </a>
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
