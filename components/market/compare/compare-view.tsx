import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { EmptyState } from '../../ui/display/card';
import { useFormat } from '../../ui/display/format';
import { ArrowRightIcon, CheckIcon } from '../../ui/display/icons';
import { comparePath, maxCompared } from '../cards/compare-url';
import { compareGroups } from './compare-rows';
import { CompareTable } from './compare-table';
import type { ComparedAgent } from './fact-properties';

export interface CompareViewProps {
  agents: ComparedAgent[];
  /** Slugs without an agent that is visible to the reader. */
  unknown: string[];
  /** Slugs above the maximum of one comparison. */
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
          <span aria-hidden="true" className="inline-flex items-center gap-1 text-good">
            <CheckIcon size={15} />
            {rowTexts('best')}
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
      <CompareTable agents={agents} groups={groups} />
    </>
  );
}
