import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AppSecretView } from '@/lib/tokens/schema';
import { ConfirmDialog } from '../forms/confirm-dialog';
import { Button } from '../ui/controls/button';
import { DateTime } from '../ui/display/date-time';

interface SecretRowProps {
  appId: string;
  secret: AppSecretView;
  onRemoved: () => void;
}

/** An active secret of an app: prefix, age, last use, and a way to remove it. */
export function SecretRow({ appId, secret, onRemoved }: SecretRowProps): ReactNode {
  const t = useTranslations('console.secretRow');
  const { id, prefix, createdAt, lastUsedAt, expiresAt } = secret;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-mono text-xs">{prefix}…</p>
        <p className="text-muted">
          {lastUsedAt
            ? t.rich('used', { created: () => <Day at={createdAt} />, used: () => <Day at={lastUsedAt} /> })
            : t.rich('neverUsed', { created: () => <Day at={createdAt} /> })}
          {expiresAt ? <> {t.rich('expires', { end: () => <DateTime at={expiresAt} /> })}</> : null}
        </p>
      </div>
      <ConfirmDialog
        action={t('removeSecret')}
        onDone={onRemoved}
        path={`/api/apps/${appId}/secrets/${id}`}
        title={t('removeTitle', { prefix })}
        trigger={
          <Button aria-label={t('removeWhat', { prefix })} size="sm">
            {t('remove')}
          </Button>
        }
      >
        {t('removeText')}
      </ConfirmDialog>
    </li>
  );
}

function Day({ at }: { at: string }): ReactNode {
  return <DateTime at={at} show="day" />;
}
