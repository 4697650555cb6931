import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { CollectionSummary } from '@/lib/discovery/schema-collections';
import { collectionPath, routes, signInPath } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { LinkPending } from '../../ui/controls/link-pending';
import { Badge } from '../../ui/display/badge';
import { EmptyState } from '../../ui/display/card';
import { AgentIcon } from '../listing/agent-icon';
import { NewCollection } from './collection-dialog';

interface CollectionsViewProps {
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

/** One collection in a list. The title is the link and covers the card, so that the whole card can be clicked. */
function CollectionCard({ collection }: { collection: CollectionSummary }): ReactNode {
  const t = useTranslations('market.collectionsView');
  const { id, title, description, visibility, agents, preview, keeper, isOwn, isCurated } = collection;
  return (
    <article className="group relative flex h-full flex-col rounded-lg border border-line bg-surface p-5 shadow-card transition-colors duration-100 hover:border-line-strong has-focus-visible:border-line-strong">
      <CollectionIcons preview={preview} />
      <h3 className="mt-4 leading-snug font-semibold" dir="auto">
        <Link
          className="after:absolute after:inset-0 after:rounded-lg group-hover:text-accent"
          href={collectionPath(id)}
          prefetch={false}
        >
          {title}
          <LinkPending />
        </Link>
      </h3>
      {description ? (
        <p className="mt-1 line-clamp-2 text-sm text-muted" dir="auto">
          {description}
        </p>
      ) : null}
      {preview.length > 0 ? (
        <p className="mt-3 line-clamp-2 text-sm" dir="auto">
          {t('includes', { names: preview.map(({ name }) => name).join(', '), more: agents - preview.length })}
        </p>
      ) : null}
      <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-4 text-xs text-muted">
        <span>{t('agents', { count: agents })}</span>
        {keeper && !isOwn && !isCurated ? (
          <span>{t.rich('by', { keeper, name: (chunks) => <bdi>{chunks}</bdi> })}</span>
        ) : null}
        {isOwn ? <Badge>{t(`visibility.${visibility}`)}</Badge> : null}
      </p>
    </article>
  );
}

/** The icons of the most recently added agents, side by side; a dashed square for an empty collection. */
function CollectionIcons({ preview }: Pick<CollectionSummary, 'preview'>): ReactNode {
  return (
    <div aria-hidden="true" className="flex gap-2">
      {preview.map((agent) => (
        <AgentIcon agent={agent} key={agent.slug} size={40} />
      ))}
      {preview.length === 0 ? (
        <span className="size-10 rounded-[22%] border-2 border-dashed border-line-strong opacity-60" />
      ) : null}
    </div>
  );
}
