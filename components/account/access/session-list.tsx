'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SessionView } from '@/lib/identity/schema-views';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { toast } from '../../ui/overlays/toast';

export interface SessionListProps {
  /** The sessions of this page. */
  sessions: SessionView[];
  /** The number of sessions on all pages. */
  total: number;
  /** The number of CLIs and devices that are also signed in. */
  devices: number;
}

/** The user's sessions, each with a way to end it. */
export function SessionList({ sessions, total, devices }: SessionListProps): ReactNode {
  const t = useTranslations('account.sessionList');
  const router = useRouter();
  const browsers = total - 1;

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
              onEnded={() => ended(t('ended', { device: session.device }))}
              session={session}
            />
          ))}
        </ul>
      </Card>
      <div className="flex flex-wrap gap-3">
        {browsers > 0 || devices > 0 ? (
          <ConfirmDialog
            action={t('endOthersAction')}
            onDone={() => ended(t('othersEnded'))}
            path="/api/auth/sessions?include=devices"
            title={t('endOthersTitle')}
            trigger={<Button>{t('endOthers')}</Button>}
          >
            {t(othersOf(browsers, devices), { browsers, devices })}
          </ConfirmDialog>
        ) : null}
        <ConfirmDialog
          action={t('endAll')}
          onDone={() => window.location.assign('/')}
          path="/api/auth/sessions?include=current&include=devices"
          title={t('endAllTitle')}
          trigger={<Button>{t('endAll')}</Button>}
        >
          {t('endAllConfirm')}
        </ConfirmDialog>
      </div>
    </div>
  );
}

function othersOf(browsers: number, devices: number): 'endBoth' | 'endBrowsers' | 'endDevices' {
  if (browsers > 0 && devices > 0) return 'endBoth';
  return browsers > 0 ? 'endBrowsers' : 'endDevices';
}

function SessionRow({ session, onEnded }: { session: SessionView; onEnded: () => void }): ReactNode {
  const t = useTranslations('account.sessionList');
  const { id, device, address, current, signedInAt, lastSeenAt, expiresAt } = session;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span lang="en">{device}</span>
          {current ? <Badge tone="good">{t('thisBrowser')}</Badge> : null}
        </p>
        <p className="mt-1 text-sm text-muted">
          {t.rich('signedIn', {
            address,
            mono: (chunks) => <span className="font-mono">{chunks}</span>,
            moment: () => <DateTime at={signedInAt} />,
          })}
        </p>
        <p className="text-sm text-muted">
          {current
            ? t('inUse')
            : t.rich('lastUsed', {
                lastSeen: () => <DateTime at={lastSeenAt} />,
                expires: () => <DateTime at={expiresAt} />,
              })}
        </p>
      </div>
      {current ? null : (
        <ConfirmDialog
          action={t('endOne')}
          onDone={onEnded}
          path={`/api/auth/sessions/${id}`}
          title={t('endOneTitle', { device })}
          trigger={<Button aria-label={t('endOneLabel', { device, address })}>{t('endOne')}</Button>}
        >
          {t('endOneConfirm')}
        </ConfirmDialog>
      )}
    </li>
  );
}
