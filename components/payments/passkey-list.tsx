'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { PasskeyView } from '@/lib/identity/schema-views';
import { ConfirmDialog } from '../forms/confirm-dialog';
import { Button } from '../ui/controls/button';
import { Card, EmptyState } from '../ui/display/card';
import { useFormat } from '../ui/display/format';
import { toast } from '../ui/overlays/toast';
import { RenamePasskey } from './rename-passkey';

/** The user's passkeys, each with a way to rename and remove it. */
export function PasskeyList({ passkeys }: { passkeys: PasskeyView[] }): ReactNode {
  const t = useTranslations('payments.passkeyList');
  if (passkeys.length === 0) {
    return (
      <EmptyState level={3} title={t('empty')}>
        {t('emptyHint')}
      </EmptyState>
    );
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </ul>
    </Card>
  );
}

function PasskeyRow({ passkey }: { passkey: PasskeyView }): ReactNode {
  const t = useTranslations('payments.passkeyList');
  const format = useFormat();
  const router = useRouter();
  const [renaming, setRenaming] = useState(false);
  const { id, name, createdAt, lastUsedAt } = passkey;

  function changed(text: string): void {
    toast({ tone: 'good', text });
    router.refresh();
  }

  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5">
      <div className="min-w-0">
        <p className="font-medium">
          <bdi>{name}</bdi>
        </p>
        <p className="mt-1 text-sm text-muted">
          {lastUsedAt
            ? t.rich('used', {
                addedOn: format.date(createdAt),
                added: (chunks) => <time dateTime={createdAt}>{chunks}</time>,
                usedOn: format.date(lastUsedAt),
                used: (chunks) => <time dateTime={lastUsedAt}>{chunks}</time>,
              })
            : t.rich('neverUsed', {
                addedOn: format.date(createdAt),
                added: (chunks) => <time dateTime={createdAt}>{chunks}</time>,
              })}
        </p>
      </div>
      {renaming ? (
        <RenamePasskey
          onClose={() => setRenaming(false)}
          onDone={() => {
            setRenaming(false);
            changed(t('renamed'));
          }}
          passkey={passkey}
        />
      ) : (
        <span className="flex flex-wrap gap-2">
          <Button aria-label={t('renameWhat', { name })} onClick={() => setRenaming(true)}>
            {t('rename')}
          </Button>
          <ConfirmDialog
            action={t('removePasskey')}
            onDone={() => changed(t('removed', { name }))}
            path={`/api/auth/passkeys/${encodeURIComponent(id)}`}
            title={t('removeTitle', { name })}
            trigger={<Button aria-label={t('removeWhat', { name })}>{t('remove')}</Button>}
          >
            {t('removeHint')}
          </ConfirmDialog>
        </span>
      )}
    </li>
  );
}
