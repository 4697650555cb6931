'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useId, useState } from 'react';
import type { GrantableScope } from '@/lib/platform/scopes';
import type { AgentGrantView } from '@/lib/tokens/schema';
import { callApi } from '../../forms/call-api';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { Checkbox } from '../../forms/inputs';
import { AgentIcon } from '../../market/listing/agent-icon';
import { agentPath, routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { EmptyNote } from '../../ui/display/empty-note';
import { toast, useSuccess } from '../../ui/overlays/toast';

/** The data that a user can share with an agent, in display order. */
const visible = ['email', 'profile'] as const satisfies GrantableScope[];

/** The agents that a user has used, each with the data and actions that it is permitted. */
export function GrantList({ grants }: { grants: AgentGrantView[] }): ReactNode {
  const t = useTranslations('account.grantList');
  if (grants.length === 0) {
    return (
      <EmptyNote title={t('empty')}>
        {t.rich('emptyHint', {
          link: (chunks) => (
            <Link className="text-link" href={routes.catalog}>
              {chunks}
            </Link>
          ),
        })}
      </EmptyNote>
    );
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {grants.map((grant) => (
          <GrantRow grant={grant} key={grant.agent.slug} />
        ))}
      </ul>
    </Card>
  );
}

function GrantRow({ grant }: { grant: AgentGrantView }): ReactNode {
  const t = useTranslations('account.grantList');
  const succeed = useSuccess();
  const { agent, lastUsedAt } = grant;

  return (
    <li className="p-5">
      <div className="flex items-start gap-3">
        <AgentIcon agent={agent} size={40} />
        <div className="min-w-0 flex-1">
          <h3 className="flex flex-wrap items-center gap-2 font-medium">
            <Link className="break-words hover:underline" href={agentPath(agent.slug)}>
              <bdi>{agent.name}</bdi>
            </Link>
            {agent.open ? null : <Badge tone="warn">{t('notAvailable')}</Badge>}
          </h3>
          <p className="mt-1 text-sm text-muted">
            {lastUsedAt
              ? t.rich('lastUsed', { moment: () => <DateTime at={lastUsedAt} show="relative" /> })
              : t('notUsed')}
          </p>
        </div>
        <ConfirmDialog
          action={t('disconnect')}
          onDone={() => succeed(t('disconnected', { agent: agent.name }))}
          path={`/api/grants/${agent.slug}`}
          title={t('disconnectTitle', { agent: agent.name })}
          trigger={
            <Button aria-label={t('disconnectAgent', { agent: agent.name })} size="sm">
              {t('disconnect')}
            </Button>
          }
        >
          {t('disconnectConfirm')}
        </ConfirmDialog>
      </div>
      <GrantForm grant={grant} />
    </li>
  );
}

/** A form in which each choice takes effect immediately. A choice that could not be saved is reverted. */
function GrantForm({ grant: { agent, scopes, hire } }: { grant: AgentGrantView }): ReactNode {
  const t = useTranslations('account.grantList');
  const [granted, setGranted] = useState({ scopes, hire });
  const [pending, setPending] = useState(false);

  async function change(next: Partial<typeof granted>): Promise<void> {
    if (pending) return;
    const before = granted;
    const after = { ...granted, ...next };
    setGranted(after);
    setPending(true);
    const response = await callApi('PUT', `/api/grants/${agent.slug}`, after);
    setPending(false);
    if (response.ok) return toast({ tone: 'good', text: t('saved', { agent: agent.name }) });
    setGranted(before);
    toast({ tone: 'danger', text: response.problem.title });
  }

  return (
    <div aria-busy={pending} className="mt-4 grid gap-x-6 gap-y-4 lg:grid-cols-3">
      <fieldset className="grid gap-x-6 gap-y-2 lg:col-span-2 lg:grid-cols-2" disabled={!agent.open}>
        <legend className="sr-only">{t('legend', { agent: agent.name })}</legend>
        {visible.map((id) => (
          <Checkbox
            checked={granted.scopes.includes(id)}
            hint={t(`scopes.${id}.hint`)}
            key={id}
            label={t(`scopes.${id}.label`)}
            onChange={({ target: { checked } }) => {
              const others = granted.scopes.filter((one) => one !== id);
              void change({ scopes: checked ? [...others, id] : others });
            }}
          />
        ))}
      </fieldset>
      <HireChoice
        agentName={agent.name}
        disabled={!agent.open}
        hire={granted.hire}
        name={`hire-${agent.slug}`}
        onChoose={(chosen) => void change({ hire: chosen })}
      />
    </div>
  );
}

type Hire = AgentGrantView['hire'];

const choices: Hire[] = ['never', 'ask', 'yes'];

interface HireChoiceProps {
  agentName: string;
  /** Name of the radio buttons, unique on the page. */
  name: string;
  hire: Hire;
  disabled: boolean;
  onChoose: (hire: Hire) => void;
}

/**
 * The choice of whether an agent may hire other agents for the user: native radio buttons, and an explanation of the
 * current choice.
 */
function HireChoice({ agentName, name, hire, disabled, onChoose }: HireChoiceProps): ReactNode {
  const t = useTranslations('account.hireChoice');
  const hint = useId();
  return (
    <fieldset aria-describedby={hint} disabled={disabled}>
      <legend className="pt-1 text-sm font-medium">
        {t('legend')}
        <span className="sr-only"> ({agentName})</span>
      </legend>
      <div className="flex flex-wrap gap-x-5">
        {choices.map((choice) => (
          <label className="inline-flex min-h-8 cursor-pointer items-center gap-2 text-sm touch:min-h-11" key={choice}>
            <input
              checked={choice === hire}
              className="size-4 shrink-0 cursor-pointer accent-accent touch:size-5"
              name={name}
              onChange={() => onChoose(choice)}
              type="radio"
              value={choice}
            />
            {t(`choice.${choice}`)}
          </label>
        ))}
      </div>
      <p className="text-sm text-muted" id={hint}>
        {t(`hint.${hire}`)}
      </p>
    </fieldset>
  );
}
