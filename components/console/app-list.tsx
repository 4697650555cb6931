'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { AppSecretView, AppView, NewClientSecret } from '@/lib/tokens/schema';
import { callApi } from '../account/call-api';
import { ConfirmDialog } from '../account/confirm-dialog';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { formatDate } from '../ui/format-date';
import { toast } from '../ui/toast';
import { NewSecret } from './new-secret';

/** The person's apps with their secrets; a second secret while one is replaced. */
export function AppList({ apps }: { apps: AppView[] }): ReactNode {
  if (apps.length === 0) {
    return (
      <EmptyState level={3} title="No apps yet">
        Create one and give its credentials to your agent.
      </EmptyState>
    );
  }
  return (
    <ul className="space-y-5">
      {apps.map((app) => (
        <li key={app.id}>
          <AppCard app={app} />
        </li>
      ))}
    </ul>
  );
}

function AppCard({ app }: { app: AppView }): ReactNode {
  const router = useRouter();
  const [made, setMade] = useState<NewClientSecret | null>(null);
  const [pending, setPending] = useState(false);

  async function add(): Promise<void> {
    setPending(true);
    const answer = await callApi('POST', `/api/apps/${app.id}/secrets`, {});
    setPending(false);
    if (!answer.ok) return toast({ tone: 'danger', text: answer.problem.title });
    setMade(answer.body as NewClientSecret);
    router.refresh();
  }

  return (
    <Card className="space-y-4 p-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">
            <bdi>{app.name}</bdi>
          </h2>
          <p className="font-mono text-sm break-all text-muted">{app.clientId}</p>
        </div>
        <Button onClick={() => void add()} pending={pending} size="sm">
          Add a secret
        </Button>
      </div>
      {made ? <NewSecret clientId={made.clientId} clientSecret={made.clientSecret} /> : null}
      <ul className="divide-y divide-line border-t border-line">
        {app.secrets.map((secret) => (
          <SecretRow appId={app.id} key={secret.id} onDone={() => router.refresh()} secret={secret} />
        ))}
      </ul>
    </Card>
  );
}

interface SecretRowProps {
  appId: string;
  secret: AppSecretView;
  onDone: () => void;
}

function SecretRow({ appId, secret, onDone }: SecretRowProps): ReactNode {
  const { id, prefix, createdAt, lastUsedAt } = secret;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm">
      <p className="text-muted">
        <span className="font-mono text-ink">{prefix}…</span> · created{' '}
        <time dateTime={createdAt}>{formatDate(createdAt)}</time> ·{' '}
        {lastUsedAt ? (
          <>
            last used <time dateTime={lastUsedAt}>{formatDate(lastUsedAt)}</time>
          </>
        ) : (
          'never used'
        )}
      </p>
      <ConfirmDialog
        action="Remove secret"
        onDone={onDone}
        path={`/api/apps/${appId}/secrets/${id}`}
        title={`Remove the secret ${prefix}…?`}
        trigger={
          <Button aria-label={`Remove the secret ${prefix}`} size="sm" tone="quiet">
            Remove
          </Button>
        }
      >
        Agents that still use it can no longer ask who is calling.
      </ConfirmDialog>
    </li>
  );
}
