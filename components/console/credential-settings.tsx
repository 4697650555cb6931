'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { CredentialView } from '@/lib/catalog/schema';
import { ConfirmDialog } from '../account/confirm-dialog';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { formatTime } from '../ui/format-date';
import { toast } from '../ui/toast';
import { CredentialForm } from './credential-form';

interface CredentialSettingsProps {
  slug: string;
  credential: CredentialView | null;
}

const kindTexts: Record<CredentialView['kind'], string> = {
  bearer: 'A bearer token',
  'api-key': 'An API key',
  'oauth-client-credentials': 'An OAuth client',
};

/** What Parley shows the agent when it calls it: which kind is stored and since when, a way to replace and to remove it. */
export function CredentialSettings({ slug, credential }: CredentialSettingsProps): ReactNode {
  const router = useRouter();
  const path = `/api/agents/${encodeURIComponent(slug)}/credentials`;

  function changed(text: string): void {
    toast({ tone: 'good', text });
    router.refresh();
  }

  return (
    <div className="space-y-6">
      {credential ? (
        <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 text-sm">
          <p className="min-w-0">
            <span className="block font-medium">{kindTexts[credential.kind]} is stored.</span>
            <span className="text-muted">
              Since <time dateTime={credential.setAt}>{formatTime(credential.setAt)}</time>. It is never shown again.
            </span>
          </p>
          <ConfirmDialog
            action="Remove credential"
            onDone={() => changed('The credential is removed.')}
            path={path}
            title="Remove the credential?"
            trigger={<Button size="sm">Remove credential</Button>}
          >
            Parley forgets it at once. Calls then carry Parley’s own token alone.
          </ConfirmDialog>
        </Card>
      ) : null}
      <CredentialForm
        isReplacing={credential !== null}
        onStored={() => changed('The credential is stored.')}
        path={path}
      />
    </div>
  );
}
