'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode, useState } from 'react';
import { MAX_APP_SECRETS, MAX_NAME_LENGTH } from '@/lib/tokens/limits';
import type { AppView, NewClientSecret } from '@/lib/tokens/schema';
import { callApi } from '../../forms/call-api';
import { Field } from '../../forms/field';
import { FormProblem } from '../../forms/form-problem';
import { Input } from '../../forms/inputs';
import { type FieldErrors, useForm } from '../../forms/use-form';
import { ownAgentPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Card, EmptyState } from '../../ui/display/card';
import { toast } from '../../ui/overlays/toast';
import { NewSecret, type Overlap, RotateSecret, SecretRow } from './app-secrets';
import { RedirectUris } from './redirect-uris';

/** Creates a developer app and displays its secret once. */
export function AppForm(): ReactNode {
  const t = useTranslations('console.appForm');
  const router = useRouter();
  const [made, setMade] = useState<NewClientSecret | null>(null);
  const { form, pending, problem, fieldErrors } = useForm({
    path: '/api/apps',
    check: (fields): FieldErrors => (fields.name?.trim() ? {} : { name: t('nameMissing') }),
    onDone(body, sent) {
      setMade(body as NewClientSecret);
      sent.reset();
      router.refresh();
      return 'staying';
    },
  });
  return (
    <div className="space-y-6">
      {made ? <NewSecret app={made} key={made.id} /> : null}
      <form {...form} className="max-w-lg space-y-5">
        <FormProblem problem={problem} />
        <Field error={fieldErrors.name} hint={t('nameHint')} id="name" label={t('name')} required>
          {(control) => <Input {...control} autoComplete="off" maxLength={MAX_NAME_LENGTH} name="name" />}
        </Field>
        <Button pending={pending} tone="primary" type="submit">
          {t('create')}
        </Button>
      </form>
    </div>
  );
}

/** An agent that uses an app's credentials. */
interface AppUser {
  slug: string;
  name: string;
  appId: string | null;
}

interface AppListProps {
  apps: AppView[];
  agents: AppUser[];
}

/** The user's apps with their secrets, of which there are two during a rotation. */
export function AppList({ apps, agents }: AppListProps): ReactNode {
  const t = useTranslations('console.appList');
  if (apps.length === 0) {
    return <EmptyState title={t('empty')}>{t('emptyHint')}</EmptyState>;
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
  const t = useTranslations('console.appList');
  const router = useRouter();
  const [made, setMade] = useState<NewClientSecret | null>(null);
  const [pending, setPending] = useState(false);

  async function rotate(overlap: Overlap | null): Promise<void> {
    setPending(true);
    const body = overlap === null ? {} : { othersEndInHours: overlap };
    const response = await callApi('POST', `/api/apps/${app.id}/secrets`, body);
    setPending(false);
    if (!response.ok) return toast({ tone: 'danger', text: response.problem.title });
    setMade(response.body as NewClientSecret);
    router.refresh();
  }

  function removed(): void {
    toast({ tone: 'good', text: t('secretRemoved') });
    router.refresh();
  }

  return (
    <Card>
      <div className="space-y-1 p-5">
        <h2 className="text-lg font-semibold">
          <bdi>{app.name}</bdi>
        </h2>
        <p className="text-sm text-muted">
          {t.rich('clientId', {
            id: app.clientId,
            mono: (id) => <span className="font-mono text-xs break-all text-ink">{id}</span>,
          })}
        </p>
        <p className="text-sm text-muted">
          {t.rich('scope', {
            scope: 'agent:call',
            mono: (scope) => <span className="font-mono text-xs">{scope}</span>,
          })}
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
        {app.secrets.length < MAX_APP_SECRETS ? (
          <RotateSecret app={app.name} onRotate={(overlap) => void rotate(overlap)} pending={pending} />
        ) : (
          <p className="text-sm text-muted">{t('enoughSecrets')}</p>
        )}
      </div>
      <RedirectUris app={app} />
    </Card>
  );
}

function UsedBy({ agents }: { agents: AppUser[] }): ReactNode {
  const t = useTranslations('console.appList');
  if (agents.length === 0) return <p className="text-sm text-muted">{t('unused')}</p>;
  return (
    <p className="text-sm text-muted">
      {t.rich('usedBy', {
        agents: () =>
          agents.map(({ slug, name }, index) => (
            <Fragment key={slug}>
              {index > 0 ? ', ' : null}
              <Link className="text-link" href={ownAgentPath(slug)} prefetch={false}>
                <bdi>{name}</bdi>
              </Link>
            </Fragment>
          )),
      })}
    </p>
  );
}
