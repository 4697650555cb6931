import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { agentPath, newChatPath, routes } from '../../shell/routes';
import { Alert } from '../../ui/alert';
import { EmptyState } from '../../ui/empty-state';
import { ArrowRightIcon, CloseIcon } from '../../ui/icons';
import { LinkButton } from '../../ui/link-button';
import { scrollRegion } from '../../ui/scroll-region';
import { useFormat } from '../../ui/use-format';
import { AgentIcon } from '../agent-icon';
import { type CompareGroup, compareGroups } from './compare-rows';
import { comparePath, maxCompared } from './compare-url';
import type { ComparedAgent } from './property';

export interface CompareViewProps {
  agents: ComparedAgent[];
  /** Slugs that no agent has which the reader may see. */
  unknown: string[];
  /** Slugs beyond those that are compared at once. */
  left: string[];
  onlyDifferences: boolean;
}

/** Up to three agents side by side. */
export function CompareView({ agents, unknown, left, onlyDifferences }: CompareViewProps): ReactNode {
  const t = useTranslations('market.compareView');
  return (
    <div className="page-x py-6 lg:py-8">
      <Link
        className="inline-flex min-h-8 items-center gap-1.5 text-sm text-muted hover:text-ink hover:underline touch:min-h-11"
        href={routes.catalog}
        prefetch={false}
      >
        <ArrowRightIcon className="rotate-180" size={15} />
        {t('allAgents')}
      </Link>
      <h1 className="mt-3 text-3xl font-semibold">{t('title')}</h1>
      {unknown.length > 0 ? (
        <Alert className="mt-5" tone="warn">
          {t('unknown', { count: unknown.length, slugs: unknown.join(', ') })}
        </Alert>
      ) : null}
      {left.length > 0 ? (
        <Alert className="mt-5">{t('tooMany', { max: maxCompared, slugs: left.join(', ') })}</Alert>
      ) : null}
      {agents.length > 0 ? (
        <Comparison agents={agents} onlyDifferences={onlyDifferences} />
      ) : (
        <EmptyState
          action={
            <LinkButton href={routes.catalog} tone="primary">
              {t('browse')}
            </LinkButton>
          }
          className="mt-8"
          title={t('empty')}
        >
          {t('emptyHow', { max: maxCompared })}
        </EmptyState>
      )}
    </div>
  );
}

function Comparison({ agents, onlyDifferences }: Pick<CompareViewProps, 'agents' | 'onlyDifferences'>): ReactNode {
  const t = useTranslations('market.compareView');
  const rowTexts = useTranslations('market.compareRows');
  const scoreTexts = useTranslations('market.scoreWords');
  const format = useFormat();
  const slugs = agents.map(({ detail }) => detail.slug);
  const groups = compareGroups(agents, { t: rowTexts, scoreTexts, format })
    .map((group) => ({ ...group, rows: group.rows.filter(({ differs }) => differs || !onlyDifferences) }))
    .filter(({ rows }) => rows.length > 0);
  return (
    <>
      {agents.length > 1 ? (
        <p className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
          <span className="inline-flex items-center gap-2">
            <span aria-hidden="true" className="h-4 w-1 rounded-full bg-accent" />
            {t('legend')}
          </span>
          <Link
            aria-current={onlyDifferences ? 'true' : undefined}
            className="text-link inline-flex min-h-8 items-center touch:min-h-11"
            href={comparePath(slugs, { onlyDifferences: !onlyDifferences })}
            prefetch={false}
            scroll={false}
          >
            {t(onlyDifferences ? 'showAll' : 'onlyDifferences')}
          </Link>
        </p>
      ) : (
        <p className="mt-3 text-sm text-muted">{t('oneOnly')}</p>
      )}
      <div
        {...scrollRegion(t('table'))}
        className="relative mt-5 overflow-x-auto rounded-lg border border-line bg-surface"
      >
        <table className="w-full border-collapse text-start text-sm">
          <caption className="sr-only">{t('table')}</caption>
          <thead>
            <tr>
              <td className={clsx(firstColumn, 'border-b border-line')} />
              {agents.map((agent) => (
                <AgentHead agent={agent} key={agent.detail.slug} slugs={slugs} />
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <Group columns={agents.length} group={group} key={group.key} slugs={slugs} />
          ))}
        </table>
      </div>
    </>
  );
}

/** Names of properties stay visible while the columns of the agents are scrolled. */
const firstColumn = 'sticky start-0 z-10 w-28 min-w-28 bg-surface px-3 py-2.5 text-start sm:w-44 sm:min-w-44 sm:px-4';

function AgentHead({ agent: { detail }, slugs }: { agent: ComparedAgent; slugs: string[] }): ReactNode {
  const t = useTranslations('market.compareView');
  const { slug, name } = detail;
  return (
    <th className="min-w-44 border-b border-line px-3 py-4 text-start align-top font-normal sm:px-4" scope="col">
      <span className="flex items-start justify-between gap-2">
        <AgentIcon agent={detail} size={40} />
        <Link
          aria-label={t('remove', { name })}
          className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink touch:size-11"
          href={comparePath(slugs.filter((other) => other !== slug))}
          prefetch={false}
          title={t('remove', { name })}
        >
          <CloseIcon size={16} />
        </Link>
      </span>
      <Link
        className="mt-2 block leading-snug font-semibold hover:text-accent hover:underline"
        dir="auto"
        href={agentPath(slug)}
        prefetch={false}
      >
        {name}
      </Link>
      <LinkButton className="mt-3" href={newChatPath(slug)} size="sm">
        {t('chat')}
      </LinkButton>
    </th>
  );
}

function Group({ group, slugs, columns }: { group: CompareGroup; slugs: string[]; columns: number }): ReactNode {
  const t = useTranslations('market.compareRows');
  return (
    <tbody>
      <tr>
        <th
          className="sticky start-0 bg-sunken px-3 py-2 text-start font-semibold sm:px-4"
          colSpan={columns + 1}
          scope="rowgroup"
        >
          <span className="sticky start-3 sm:start-4">{t(`groups.${group.key}`)}</span>
        </th>
      </tr>
      {group.rows.map(({ key, name, cells, differs }) => (
        <tr className="border-t border-line" key={key}>
          <th className={clsx(firstColumn, 'align-top font-medium', differs ? 'text-ink' : 'text-muted')} scope="row">
            {differs && columns > 1 ? (
              <span aria-hidden="true" className="absolute inset-y-1 start-0 w-1 rounded-full bg-accent" />
            ) : null}
            {name}
            {differs && columns > 1 ? <span className="sr-only"> ({t('differs')})</span> : null}
          </th>
          {cells.map((cell, index) => (
            <td
              className={clsx(
                'px-3 py-2.5 align-top tabular-nums [overflow-wrap:anywhere] sm:px-4',
                !differs && columns > 1 && 'text-muted',
              )}
              key={slugs[index]}
            >
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
