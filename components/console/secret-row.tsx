import type { ReactNode } from 'react';
import type { AppSecretView } from '@/lib/tokens/schema';
import { ConfirmDialog } from '../account/confirm-dialog';
import { Button } from '../ui/button';
import { formatDate } from '../ui/format-date';
import { Moment } from '../ui/moment';

interface SecretRowProps {
  appId: string;
  secret: AppSecretView;
  onRemoved: () => void;
}

/** One live secret of an app: what it begins with, how old it is, when it was used, and the way to remove it. */
export function SecretRow({ appId, secret, onRemoved }: SecretRowProps): ReactNode {
  const { id, prefix, createdAt, lastUsedAt, expiresAt } = secret;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0">
        <p className="font-mono text-xs">{prefix}…</p>
        <p className="text-muted">
          Created on <Day at={createdAt} />, {lastUsedAt ? <>last used on {<Day at={lastUsedAt} />}</> : 'never used'}.
          {expiresAt ? (
            <>
              {' '}
              Works until <Moment at={expiresAt} />.
            </>
          ) : null}
        </p>
      </div>
      <ConfirmDialog
        action="Remove secret"
        onDone={onRemoved}
        path={`/api/apps/${appId}/secrets/${id}`}
        title={`Remove the secret ${prefix}…?`}
        trigger={
          <Button aria-label={`Remove the secret ${prefix}`} size="sm">
            Remove
          </Button>
        }
      >
        Agents that still use it can no longer ask who is calling.
      </ConfirmDialog>
    </li>
  );
}

function Day({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{formatDate(at)}</time>;
}
