'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { PasskeyView } from '@/lib/identity/schema';
import { ConfirmDialog } from '../account/confirm-dialog';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { formatDate } from '../ui/format-date';
import { toast } from '../ui/toast';
import { RenamePasskey } from './rename-passkey';

/** The person's passkeys, each with the way to rename and to remove it. */
export function PasskeyList({ passkeys }: { passkeys: PasskeyView[] }): ReactNode {
  if (passkeys.length === 0) {
    return (
      <EmptyState level={3} title="No passkeys">
        With one, you confirm a payment by your fingerprint, your face or the lock of your device. Add the first below.
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
          Added on <time dateTime={createdAt}>{formatDate(createdAt)}</time>,{' '}
          {lastUsedAt ? (
            <>
              last used on <time dateTime={lastUsedAt}>{formatDate(lastUsedAt)}</time>
            </>
          ) : (
            'never used'
          )}
          .
        </p>
      </div>
      {renaming ? (
        <RenamePasskey
          onClose={() => setRenaming(false)}
          onDone={() => {
            setRenaming(false);
            changed('The passkey has its new name.');
          }}
          passkey={passkey}
        />
      ) : (
        <span className="flex flex-wrap gap-2">
          <Button aria-label={`Rename the passkey ${name}`} onClick={() => setRenaming(true)}>
            Rename
          </Button>
          <ConfirmDialog
            action="Remove passkey"
            onDone={() => changed(`The passkey ${name} is removed.`)}
            path={`/api/auth/passkeys/${encodeURIComponent(id)}`}
            title={`Remove ${name}?`}
            trigger={<Button aria-label={`Remove the passkey ${name}`}>Remove</Button>}
          >
            It no longer confirms payments. Remove it from your device as well, in the settings of its passwords.
          </ConfirmDialog>
        </span>
      )}
    </li>
  );
}
