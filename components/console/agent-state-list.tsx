import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentState } from '@/lib/console/schema-agents';
import { ownAgentPath, routes } from '../shell/routes';
import { AgentMark } from '../ui/agent-mark';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { formatDate, formatTime } from '../ui/format-date';
import { CheckIcon, InfoIcon, WarningIcon } from '../ui/icons';
import { LinkButton } from '../ui/link-button';
import { LinkPending } from '../ui/link-pending';
import { StatusBadge } from './status-badge';

/** The user's listings with their state and latest failure; withdrawn ones come last. */
export function AgentStateList({ states }: { states: AgentState[] }): ReactNode {
  const t = useTranslations('console.agentStateList');
  if (states.length === 0) {
    return (
      <EmptyState
        action={
          <>
            <LinkButton href={routes.listAgent} tone="primary">
              {t('list')}
            </LinkButton>
            <LinkButton href={routes.importAgents}>{t('import')}</LinkButton>
          </>
        }
        title={t('empty')}
      >
        {t('emptyHint')}
      </EmptyState>
    );
  }
  const withdrawn = states.filter(({ agent }) => agent.status === 'withdrawn');
  const listed = states.filter((state) => !withdrawn.includes(state));
  return (
    <Card>
      <ul className="divide-y divide-line">
        {[...listed, ...withdrawn].map((state) => (
          <AgentRow key={state.agent.slug} state={state} />
        ))}
      </ul>
    </Card>
  );
}

function AgentRow({ state }: { state: AgentState }): ReactNode {
  const t = useTranslations('console.agentStateList');
  const { agent } = state;
  return (
    <li className="group relative grid gap-x-8 gap-y-3 p-5 hover:bg-sunken lg:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="flex min-w-0 gap-4">
        <AgentMark size={44} slug={agent.slug} />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              className="min-w-0 font-semibold group-hover:text-accent after:absolute after:inset-0"
              href={ownAgentPath(agent.slug)}
              prefetch={false}
            >
              <bdi>{agent.name}</bdi>
              <LinkPending />
            </Link>
            <StatusBadge status={agent.status} />
          </p>
          <p className="truncate font-mono text-xs text-muted">{agent.slug}</p>
          <p className="mt-1 text-sm text-muted">
            {t.rich('facts', {
              visibility: agent.visibility,
              version: agent.version,
              changed: formatDate(agent.updatedAt),
              time: (changed) => <time dateTime={agent.updatedAt}>{changed}</time>,
            })}
          </p>
        </div>
      </div>
      {agent.status === 'withdrawn' ? null : <AgentHealth state={state} />}
    </li>
  );
}

function AgentHealth({ state: { agent, lastFailure, cardWaits } }: { state: AgentState }): ReactNode {
  const t = useTranslations('console.agentStateList');
  return (
    <ul className="space-y-1.5 text-sm max-lg:ps-15">
      {cardWaits ? (
        <Sign icon={<WarningIcon className="mt-0.5 shrink-0 text-warn" size={16} />}>{t('cardWaits')}</Sign>
      ) : null}
      {lastFailure ? (
        <Sign icon={<WarningIcon className="mt-0.5 shrink-0 text-danger" size={16} />}>
          {lastFailure.failure?.message}
          <time className="block text-muted" dateTime={lastFailure.at}>
            {formatTime(lastFailure.at)}
          </time>
        </Sign>
      ) : (
        <Sign icon={<CheckIcon className="mt-0.5 shrink-0 text-good" size={16} />}>{t('noFailures')}</Sign>
      )}
      {agent.appId === null ? (
        <Sign icon={<InfoIcon className="mt-0.5 shrink-0 text-warn" size={16} />}>{t('noApp')}</Sign>
      ) : null}
    </ul>
  );
}

function Sign({ icon, children }: { icon: ReactNode; children: ReactNode }): ReactNode {
  return (
    <li className="flex gap-2">
      {icon}
      <span className="min-w-0">{children}</span>
    </li>
  );
}
