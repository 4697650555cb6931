'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { MAX_BLOCK_REASON_LENGTH, MAX_CLIENT_ID_LENGTH } from '@/lib/tokens/limits';
import type { BlockedClientView } from '@/lib/tokens/schema-connections';
import { ConfirmDialog } from '../forms/confirm-dialog';
import { Field } from '../forms/field';
import { FormProblem } from '../forms/form-problem';
import { Input } from '../forms/inputs';
import { useForm } from '../forms/use-form';
import { Button } from '../ui/controls/button';
import { Badge } from '../ui/display/badge';
import { Card, EmptyState } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { toast } from '../ui/overlays/toast';

/** Blocks an OAuth client for every user. */
export function BlockClientForm(): ReactNode {
  const t = useTranslations('moderation.blockClientForm');
  const router = useRouter();
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/moderation/blocked-clients',
    check: ({ clientId, reason }) => ({
      ...(clientId?.trim() ? {} : { clientId: t('clientIdMissing') }),
      ...(reason?.trim() ? {} : { reason: t('reasonMissing') }),
    }),
    onDone(body, sent) {
      const { name, clientId } = body as BlockedClientView;
      toast({ tone: 'good', text: t('blocked', { name: name ?? clientId }) });
      sent.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <form {...form} className="max-w-lg space-y-5">
      <FormProblem problem={problem} />
      <Field error={fieldErrors.clientId} hint={t('clientIdHint')} id="clientId" label={t('clientId')} required>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            className="font-mono"
            maxLength={MAX_CLIENT_ID_LENGTH}
            name="clientId"
            spellCheck={false}
          />
        )}
      </Field>
      <Field error={fieldErrors.reason} hint={t('reasonHint')} id="reason" label={t('reason')} required>
        {(control) => <Input {...control} autoComplete="off" maxLength={MAX_BLOCK_REASON_LENGTH} name="reason" />}
      </Field>
      <Button pending={pending} tone="danger" type="submit">
        {t('submit')}
      </Button>
    </form>
  );
}

/** OAuth clients that users cannot connect, each with a way to unblock it. */
export function BlockedClientList({ clients }: { clients: BlockedClientView[] }): ReactNode {
  const t = useTranslations('moderation.blockedClientList');
  if (clients.length === 0) return <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>;
  return (
    <Card>
      <ul className="divide-y divide-line">
        {clients.map((client) => (
          <ClientRow client={client} key={client.id} />
        ))}
      </ul>
    </Card>
  );
}

function ClientRow({ client }: { client: BlockedClientView }): ReactNode {
  const t = useTranslations('moderation.blockedClientList');
  const router = useRouter();
  const { id, clientId, kind, reason, createdAt } = client;
  const name = client.name ?? clientId;

  function unblocked(): void {
    toast({ tone: 'good', text: t('unblocked', { name }) });
    router.refresh();
  }

  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-2 font-medium">
          <bdi className="min-w-0 break-all">{name}</bdi>
          <Badge>{t(`kinds.${kind}`)}</Badge>
        </h2>
        <p className="mt-1 text-sm text-muted">
          <bdi>{reason}</bdi>
        </p>
        <p className="mt-1 text-sm text-muted">{t.rich('blockedOn', { moment: () => <DateTime at={createdAt} /> })}</p>
        <p className="mt-1 line-clamp-2 font-mono text-xs break-all text-muted">{clientId}</p>
      </div>
      <ConfirmDialog
        action={t('unblock')}
        onDone={unblocked}
        path={`/api/moderation/blocked-clients/${encodeURIComponent(id)}`}
        title={t('unblockTitle', { name })}
        trigger={<Button aria-label={t('unblockLabel', { name })}>{t('unblock')}</Button>}
      >
        {t('unblockConfirm')}
      </ConfirmDialog>
    </li>
  );
}
