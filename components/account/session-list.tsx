'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { SessionView } from '@/lib/identity/schema';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Moment } from '../ui/moment';
import { toast } from '../ui/toast';
import { ConfirmDialog } from './confirm-dialog';

export interface SessionListProps {
  sessions: SessionView[];
  /** How many command lines and devices are signed in beside them. */
  devices: number;
}

/** Where the person is signed in, each with the way to end it. */
export function SessionList({ sessions, devices }: SessionListProps): ReactNode {
  const router = useRouter();
  const browsers = sessions.length - 1;
  const others = [
    ...(browsers > 0 ? [browsers === 1 ? 'one other browser' : `${browsers} other browsers`] : []),
    ...(devices > 0 ? [devices === 1 ? 'one command line or device' : `${devices} command lines and devices`] : []),
  ].join(' and ');

  function ended(text: string): void {
    toast({ tone: 'good', text });
    router.refresh();
  }

  return (
    <div className="space-y-6">
      <Card>
        <ul className="divide-y divide-line">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              onEnded={() => ended(`The session on ${session.device} has ended.`)}
              session={session}
            />
          ))}
        </ul>
      </Card>
      <div className="flex flex-wrap gap-3">
        {others ? (
          <ConfirmDialog
            action="Sign out the others"
            onDone={() => ended('You are signed out everywhere else.')}
            path="/api/auth/sessions?include=devices"
            title="Sign out everywhere else?"
            trigger={<Button>Sign out everywhere else</Button>}
          >
            This ends {others}. You stay signed in here. Agents that were called from there lose their tokens at once.
          </ConfirmDialog>
        ) : null}
        <ConfirmDialog
          action="Sign out everywhere"
          onDone={() => window.location.assign('/')}
          path="/api/auth/sessions?include=current&include=devices"
          title="Sign out everywhere?"
          trigger={<Button>Sign out everywhere</Button>}
        >
          Every browser, this one too, and every command line will have to sign in again. Access tokens that you made
          yourself are not touched: they have their own page.
        </ConfirmDialog>
      </div>
    </div>
  );
}

function SessionRow({ session, onEnded }: { session: SessionView; onEnded: () => void }): ReactNode {
  const { id, device, address, current, signedInAt, lastSeenAt, expiresAt } = session;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {current ? <Badge tone="good">This browser</Badge> : null}
        </p>
        <p className="mt-1 text-sm text-muted">
          Signed in from <span className="font-mono">{address}</span>, <Moment at={signedInAt} />
        </p>
        <p className="text-sm text-muted">
          {current ? (
            'In use now'
          ) : (
            <>
              Last used <Moment at={lastSeenAt} />, ends <Moment at={expiresAt} /> if it is not used again
            </>
          )}
        </p>
      </div>
      {current ? null : (
        <ConfirmDialog
          action="End session"
          onDone={onEnded}
          path={`/api/auth/sessions/${id}`}
          title={`End the session on ${device}?`}
          trigger={<Button aria-label={`End the session on ${device} from ${address}`}>End session</Button>}
        >
          Whoever uses that browser will have to sign in again. It takes effect at once.
        </ConfirmDialog>
      )}
    </li>
  );
}
