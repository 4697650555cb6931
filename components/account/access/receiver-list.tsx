'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PushReceiver } from '@/lib/tasks/schema';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { agentPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { useSuccess } from '../../ui/overlays/toast';

/** The webhooks that receive updates of the user's tasks, each with a way to delete it. */
export function ReceiverList({ receivers }: { receivers: PushReceiver[] }): ReactNode {
  const t = useTranslations('account.receiverList');
  if (receivers.length === 0) return <EmptyNote title={t('empty')}>{t('emptyHint')}</EmptyNote>;
  return (
    <Card>
      <ul className="divide-y divide-line">
        {receivers.map((receiver) => (
          <ReceiverRow key={receiver.id} receiver={receiver} />
        ))}
      </ul>
    </Card>
  );
}

function ReceiverRow({ receiver }: { receiver: PushReceiver }): ReactNode {
  const t = useTranslations('account.receiverList');
  const succeed = useSuccess();
  const { id, host, taskId, agent, isOver, failing } = receiver;

  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="break-all">{host}</bdi>
          {isOver ? <Badge>{t('over')}</Badge> : null}
          {failing ? <Badge tone="danger">{t('failing')}</Badge> : null}
        </p>
        <p className="mt-1 text-sm text-muted">
          {agent
            ? t.rich('agent', {
                agent: agent.name,
                link: (chunks) => (
                  <Link className="text-link" href={agentPath(agent.slug)}>
                    <bdi>{chunks}</bdi>
                  </Link>
                ),
              })
            : t('agentGone')}
        </p>
        <p className="mt-1 text-sm text-muted">{t('sent')}</p>
        <p className="mt-1 text-sm text-muted">
          <SetBy receiver={receiver} />
        </p>
        <p className="mt-1 text-sm text-muted">
          <LastDelivery receiver={receiver} />
        </p>
        <p className="mt-1 break-all font-mono text-xs text-muted">{t('task', { task: taskId })}</p>
      </div>
      <ConfirmDialog
        action={t('deleteAction')}
        onDone={() => succeed(t('deleted', { host }))}
        path={`/api/push/receivers/${encodeURIComponent(id)}`}
        title={t('deleteTitle', { host })}
        trigger={<Button aria-label={t('deleteLabel', { host })}>{t('delete')}</Button>}
      >
        {t('deleteConfirm')}
      </ConfirmDialog>
    </li>
  );
}

/** The result of the latest deliveries. */
function LastDelivery({ receiver: { lastStatus, failing } }: { receiver: PushReceiver }): ReactNode {
  const t = useTranslations('account.receiverList');
  if (failing) {
    return t.rich('failingSince', { attempts: failing.attempts, moment: () => <DateTime at={failing.since} /> });
  }
  return lastStatus === null ? t('noDelivery') : t('lastStatus', { status: String(lastStatus) });
}

/** The credential that registered it, and the time. */
function SetBy({ receiver: { credential, createdAt } }: { receiver: PushReceiver }): ReactNode {
  const t = useTranslations('account.receiverList');
  const moment = (): ReactNode => <DateTime at={createdAt} />;
  const name = credential.name ?? '';
  switch (credential.kind) {
    case 'session':
      return t.rich('setBySession', { moment });
    case 'access-token':
      return t.rich('setByToken', { name, moment });
    case 'device':
      return t.rich('setByDevice', { name, moment });
    case 'connected-app':
      return t.rich('setByApp', { name, moment });
    case 'agent':
      return t.rich('setByAgent', { name, moment });
    default:
      return t.rich('setByUnknown', { moment });
  }
}
