import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CollectionView } from '@/lib/discovery/schema-collections';
import { routes } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { EmptyState } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { ArrowRightIcon } from '../../ui/display/icons';
import { AgentCard } from '../cards/agent-card';
import { CompareList } from '../cards/compare-list';
import { CollectionTools, RemoveFromCollection } from './collection-tools';

export interface CollectionPageProps {
  collection: CollectionView;
  /** True if the reader is an admin, who may recommend it. */
  isAdmin: boolean;
}

/** A collection: its owner, description and agents. */
export function CollectionPage({ collection, isAdmin }: CollectionPageProps): ReactNode {
  const t = useTranslations('market.collectionPage');
  const { title, description, keeper, isOwn, isCurated, visibility, updatedAt, items } = collection;
  return (
    <div className="page-x py-6 lg:py-8">
      <Link
        className="inline-flex min-h-8 items-center gap-1.5 text-sm text-muted hover:text-ink hover:underline touch:min-h-11"
        href={routes.collections}
        prefetch={false}
      >
        <ArrowRightIcon className="rotate-180" size={15} />
        {t('all')}
      </Link>
      <header className="mt-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-3xl font-semibold [overflow-wrap:anywhere]" dir="auto">
            {title}
          </h1>
          {description ? (
            <p className="mt-2 max-w-prose whitespace-pre-line text-muted" dir="auto">
              {description}
            </p>
          ) : null}
          <p className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
            {isCurated ? <Badge tone="accent">{t('recommended')}</Badge> : null}
            {isOwn ? <Badge>{t(`visibility.${visibility}`)}</Badge> : null}
            <span>{t('agents', { count: items.length })}</span>
            {keeper && !isCurated ? (
              <span>{t.rich('by', { keeper, name: (chunks) => <bdi>{chunks}</bdi> })}</span>
            ) : null}
            <span>{t.rich('updated', { date: () => <DateTime at={updatedAt} /> })}</span>
          </p>
        </div>
        {isOwn || isAdmin ? <CollectionTools collection={collection} isAdmin={isAdmin} /> : null}
      </header>
      {items.length > 0 ? (
        <CompareList>
          <ul className="mt-8 grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {items.map((agent) => (
              <li key={agent.slug}>
                <AgentCard
                  action={
                    isOwn ? <RemoveFromCollection id={collection.id} name={agent.name} slug={agent.slug} /> : undefined
                  }
                  agent={agent}
                  isComparable
                  level={2}
                  standing={agent.standing}
                />
              </li>
            ))}
          </ul>
        </CompareList>
      ) : (
        <EmptyState
          action={<LinkButton href={routes.catalog}>{t('browse')}</LinkButton>}
          className="mt-8"
          title={t('empty')}
        >
          {t('emptyWhy')}
        </EmptyState>
      )}
    </div>
  );
}
