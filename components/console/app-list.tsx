'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { Fragment, type ReactNode, useState } from 'react';
import type { AppView, NewClientSecret } from '@/lib/tokens/schema';
import { callApi } from '../account/call-api';
import { ownAgentPath } from '../shell/routes';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { toast } from '../ui/toast';
import { NewSecret } from './new-secret';
import { type Overlap, RotateSecret } from './rotate-secret';
import { SecretRow } from './secret-row';

/** An agent that asks with an app. */
export interface AppUser {
  slug: string;
  name: string;
  appId: string | null;
}

interface AppListProps {
  apps: AppView[];
  agents: AppUser[];
}

const maxSecrets = 2;

/** The person's apps with their secrets; a second secret while one is replaced. */
export function AppList({ apps, agents }: AppListProps): ReactNode {
  if (apps.length === 0) {
    return (
      <EmptyState title="No apps yet">
        Create one below and give its credentials to your agent. Then choose it on the agent’s page here.
      </EmptyState>
    );
  }
  return (
    <ul className="space-y-5">
      {apps.map((app) => (
        <li key={app.id}>
          <AppCard agents={agents.filter(({ appId }) => appId === app.id)} app={app} />
        </li>
      ))}
    </ul>
  );
}

function AppCard({ app, agents }: { app: AppView; agents: AppUser[] }): ReactNode {
  const router = useRouter();
  const [made, setMade] = useState<NewClientSecret | null>(null);
  const [pending, setPending] = useState(false);

  async function rotate(overlap: Overlap | null): Promise<void> {
    setPending(true);
    const body = overlap === null ? {} : { othersEndInHours: overlap };
    const answer = await callApi('POST', `/api/apps/${app.id}/secrets`, body);
    setPending(false);
    if (!answer.ok) return toast({ tone: 'danger', text: answer.problem.title });
    setMade(answer.body as NewClientSecret);
    router.refresh();
  }

  function removed(): void {
    toast({ tone: 'good', text: 'The secret is removed.' });
    router.refresh();
  }

  return (
    <Card>
      <div className="space-y-1 p-5">
        <h2 className="text-lg font-semibold">
          <bdi>{app.name}</bdi>
        </h2>
        <p className="text-sm text-muted">
          Client id <span className="font-mono text-xs break-all text-ink">{app.clientId}</span>
        </p>
        <p className="text-sm text-muted">
          Asks who is calling, and may call agents as itself with the scope{' '}
          <span className="font-mono text-xs">agent:call</span>
        </p>
        <UsedBy agents={agents} />
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {app.secrets.map((secret) => (
          <SecretRow appId={app.id} key={secret.id} onRemoved={removed} secret={secret} />
        ))}
      </ul>
      <div className="space-y-5 p-5">
        {made ? <NewSecret app={made} key={made.clientSecret} /> : null}
        {app.secrets.length < maxSecrets ? (
          <RotateSecret app={app.name} onRotate={(overlap) => void rotate(overlap)} pending={pending} />
        ) : (
          <p className="text-sm text-muted">
            Two secrets at most. Remove the old one when your agent uses the new one, or wait for its end.
          </p>
        )}
      </div>
    </Card>
  );
}

function UsedBy({ agents }: { agents: AppUser[] }): ReactNode {
  if (agents.length === 0) return <p className="text-sm text-muted">No agent of yours uses it yet.</p>;
  return (
    <p className="text-sm text-muted">
      Used by{' '}
      {agents.map(({ slug, name }, index) => (
        <Fragment key={slug}>
          {index > 0 ? ', ' : null}
          <Link className="text-link" href={ownAgentPath(slug)} prefetch={false}>
            <bdi>{name}</bdi>
          </Link>
        </Fragment>
      ))}
    </p>
  );
}
