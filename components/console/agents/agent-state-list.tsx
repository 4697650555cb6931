import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentFigures, AgentState } from '@/lib/console/schema-agents';
import { agentCallPath, ownAgentPath } from '../../routes';
import { LinkPending } from '../../ui/controls/link-pending';
import { AgentMark } from '../../ui/display/agent-mark';
import { QuotedMessage } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { useFormat } from '../../ui/display/format';
import { CheckIcon, InfoIcon, WarningIcon } from '../../ui/display/icons';
import { StatusBadge } from '../frame/agent-tabs';
import { type Change, ChangeNote, roundDuration, Sparkline } from '../frame/figure-tiles';

/** A page of the user's listings, each with its figures and its latest failure. */
export function AgentStateList({ states }: { states: AgentState[] }): ReactNode {
  return (
    <Card>
      <ul className="divide-y divide-line">
        {states.map((state) => (
          <AgentRow key={state.agent.slug} state={state} />
        ))}
      </ul>
    </Card>
  );
}

function AgentRow({ state }: { state: AgentState }): ReactNode {
  const t = useTranslations('console.agentStateList');
  const { agent, figures } = state;
  return (
    <li className="group relative grid gap-x-8 gap-y-4 p-4 first:rounded-t-lg last:rounded-b-lg hover:bg-sunken sm:p-5 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="flex min-w-0 gap-4">
        <AgentMark size={44} slug={agent.slug} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Link
              className="min-w-0 font-semibold group-hover:text-accent after:absolute after:inset-0"
              href={ownAgentPath(agent.slug)}
              prefetch={false}
            >
              <bdi>{agent.name}</bdi>
              <LinkPending />
            </Link>
            {agent.status === 'active' ? null : <StatusBadge status={agent.status} />}
          </p>
          <p className="truncate text-sm text-muted">
            <span className="font-mono text-xs">{agent.slug}</span>
            {' · '}
            {t('facts', { visibility: agent.visibility, version: agent.version })}
          </p>
          {agent.status === 'withdrawn' ? null : <AgentHealth state={state} />}
        </div>
      </div>
      <AgentRowFigures figures={figures} />
    </li>
  );
}

function AgentHealth({ state: { agent, figures, lastFailure, cardWaits } }: { state: AgentState }): ReactNode {
  const t = useTranslations('console.agentStateList');
  return (
    <ul className="mt-1.5 space-y-1 text-sm empty:hidden">
      {cardWaits ? (
        <Sign icon={<WarningIcon className="mt-0.5 shrink-0 text-warn" size={16} />}>{t('cardWaits')}</Sign>
      ) : null}
      {lastFailure ? (
        <Sign icon={<WarningIcon className="mt-0.5 shrink-0 text-danger" size={16} />}>
          <Link
            className="text-link relative z-10 line-clamp-2"
            href={agentCallPath(agent.slug, lastFailure.id)}
            prefetch={false}
          >
            <QuotedMessage message={lastFailure.failure?.message ?? ''} />
          </Link>
          <span className="block text-xs text-muted">
            <DateTime at={lastFailure.at} show="relative" />
          </span>
        </Sign>
      ) : figures.current.calls === 0 ? null : (
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

/**
 * The figures of one agent in a list: those of the overview, without sales, or one line if it has never been called.
 */
function AgentRowFigures({ figures: { current, previous, points } }: { figures: AgentFigures }): ReactNode {
  const t = useTranslations('console.figureTiles');
  const format = useFormat();
  const { calls, success, p95Ms, users } = current;
  if (calls === 0 && previous.calls === 0) return <p className="text-sm text-muted">{t('noCalls')}</p>;
  return (
    <dl className="grid grid-cols-4 gap-x-2 text-sm sm:gap-x-4">
      <Figure change={{ current: calls, previous: previous.calls, better: 'up' }} name={t('calls')}>
        {format.compact(calls)}
      </Figure>
      <Figure
        change={{ current: success, previous: previous.success, kind: 'share', better: 'up' }}
        name={t('successShort')}
      >
        {success === null ? t('none') : format.percent(success)}
      </Figure>
      <Figure change={{ current: p95Ms, previous: previous.p95Ms, better: 'down' }} name={t('p95Short')}>
        {p95Ms === null ? t('none') : format.duration(roundDuration(p95Ms))}
      </Figure>
      <Figure change={{ current: users, previous: previous.users, better: 'up' }} name={t('users')}>
        {format.compact(users)}
      </Figure>
      <div className="col-span-full mt-2">
        <dt className="sr-only">{t('course')}</dt>
        <dd>
          <Sparkline values={points} />
        </dd>
      </div>
    </dl>
  );
}

function Figure({ name, change, children }: { name: string; change: Change; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd>
        <span className="block font-semibold tabular-nums">{children}</span>
        <span className="block min-h-4 text-xs">
          <ChangeNote change={change} />
        </span>
      </dd>
    </div>
  );
}
