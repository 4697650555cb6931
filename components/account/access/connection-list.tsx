'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ConnectionView } from '@/lib/tokens/schema-connections';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { useSuccess } from '../../ui/overlays/toast';
import { connectionScopeLabel } from './scopes';

/** The apps that may use Parley for the user, each with a way to disconnect it. */
export function ConnectionList({ connections }: { connections: ConnectionView[] }): ReactNode {
  const t = useTranslations('account.connectionList');
  if (connections.length === 0) {
    return (
      <EmptyNote title={t('empty')}>
        {t.rich('emptyHint', {
          link: (chunks) => (
            <Link className="text-link" href={routes.connectDocs}>
              {chunks}
            </Link>
          ),
        })}
      </EmptyNote>
    );
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {connections.map((connection) => (
          <ConnectionRow connection={connection} key={connection.id} />
        ))}
      </ul>
    </Card>
  );
}

function ConnectionRow({ connection }: { connection: ConnectionView }): ReactNode {
  const t = useTranslations('account.connectionList');
  const tScopes = useTranslations('account.connectionScopes');
  const succeed = useSuccess();
  const { id, clientName: name, resourceName, scopes, createdAt, lastUsedAt } = connection;

  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="min-w-0 break-words">{name}</bdi>
          <Origin connection={connection} />
        </h3>
        <p className="mt-1 text-sm text-muted">
          {t.rich('resource', { name: resourceName, bdi: (chunks) => <bdi>{chunks}</bdi> })}
        </p>
        <p className="mt-1 text-sm text-muted">
          {scopes.map((scope) => connectionScopeLabel(tScopes, scope)).join(' · ')}
        </p>
        <p className="mt-1 text-sm text-muted">
          {t.rich('connectedOn', { moment: () => <DateTime at={createdAt} show="day" /> })}{' '}
          {lastUsedAt
            ? t.rich('lastUsed', { moment: () => <DateTime at={lastUsedAt} show="relative" /> })
            : t('notUsed')}
        </p>
      </div>
      <ConfirmDialog
        action={t('disconnect')}
        onDone={() => succeed(t('disconnected', { name }))}
        path={`/api/connections/${encodeURIComponent(id)}`}
        title={t('disconnectTitle', { name })}
        trigger={<Button aria-label={t('disconnectLabel', { name })}>{t('disconnect')}</Button>}
      >
        {t('disconnectConfirm')}
      </ConfirmDialog>
    </li>
  );
}

/** The source that verifies the name. */
function Origin({ connection: { verified, clientHost } }: { connection: ConnectionView }): ReactNode {
  const t = useTranslations('account.connectionList');
  switch (verified) {
    case 'document':
      return <bdi className="text-sm font-normal break-all text-muted">{clientHost}</bdi>;
    case 'app':
      return <Badge>{t('app')}</Badge>;
    case 'none':
      return <Badge tone="warn">{t('unverified')}</Badge>;
  }
}
