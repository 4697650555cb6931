import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CollectionSummary } from '@/lib/discovery/schema-collections';
import { routes, signInPath } from '../routes';
import { LinkButton } from '../ui/controls/button';
import { EmptyState } from '../ui/display/card';
import { CollectionCard } from './collection-card';
import { NewCollection } from './new-collection';

export interface CollectionsViewProps {
  shared: CollectionSummary[];
  own: CollectionSummary[];
  isSignedIn: boolean;
}

/** All collections visible to the reader: their own, recommended ones, and those that others have made public. */
export function CollectionsView({ shared, own, isSignedIn }: CollectionsViewProps): ReactNode {
  const t = useTranslations('market.collectionsView');
  const curated = shared.filter(({ isCurated }) => isCurated);
  const others = shared.filter(({ isCurated, isOwn }) => !isCurated && !isOwn);
  return (
    <div className="page-x space-y-12 py-8 lg:py-12">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <h1 className="text-3xl font-semibold">{t('title')}</h1>
          <p className="mt-2 max-w-prose text-muted">{t('lead')}</p>
        </div>
        {isSignedIn ? <NewCollection /> : <LinkButton href={signInPath(routes.collections)}>{t('signIn')}</LinkButton>}
      </header>
      <Group collections={own} title={t('own')} />
      <Group collections={curated} title={t('recommended')} />
      <Group collections={others} title={t('others')} />
      {isSignedIn && own.length === 0 ? (
        <EmptyState action={<LinkButton href={routes.catalog}>{t('browse')}</LinkButton>} title={t('noneOwn')}>
          {t('noneOwnHow')}
        </EmptyState>
      ) : null}
      {shared.length === 0 && !isSignedIn ? (
        <EmptyState action={<LinkButton href={routes.catalog}>{t('browse')}</LinkButton>} title={t('noneShared')}>
          {t('noneSharedHow')}
        </EmptyState>
      ) : null}
    </div>
  );
}

function Group({ title, collections }: { title: string; collections: CollectionSummary[] }): ReactNode {
  if (collections.length === 0) return null;
  return (
    <section>
      <h2 className="text-xl font-semibold">{title}</h2>
      <ul className="mt-4 grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {collections.map((collection) => (
          <li key={collection.id}>
            <CollectionCard collection={collection} />
          </li>
        ))}
      </ul>
    </section>
  );
}
