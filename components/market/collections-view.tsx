import Link from 'next/link';
import type { ReactNode } from 'react';
import type { CollectionSummary } from '@/lib/discovery/schema';
import { collectionPath, routes, signInPath } from '../shell/routes';
import { Badge } from '../ui/badge';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';

export interface CollectionsViewProps {
  shared: CollectionSummary[];
  own: CollectionSummary[];
  isSignedIn: boolean;
}

/** All collections that the reader may see: recommended ones, their own, and those that others share. */
export function CollectionsView({ shared, own, isSignedIn }: CollectionsViewProps): ReactNode {
  const curated = shared.filter(({ isCurated }) => isCurated);
  const others = shared.filter(({ isCurated, isOwn }) => !isCurated && !isOwn);
  return (
    <div className="page-x space-y-12 py-8 lg:py-12">
      <header>
        <h1 className="text-3xl font-semibold">Collections</h1>
        <p className="mt-2 max-w-prose text-muted">Agents that belong together, put together by people.</p>
      </header>
      <Group collections={curated} title="Recommended by Parley" />
      {isSignedIn ? <Own own={own} /> : null}
      <Group collections={others} title="Shared by others" />
      {shared.length === 0 && !isSignedIn ? (
        <EmptyState
          action={
            <>
              <LinkButton href={signInPath(routes.collections)}>Sign in</LinkButton>
              <LinkButton href={routes.catalogue}>Browse agents</LinkButton>
            </>
          }
          title="No collection is shared yet"
        >
          Save agents on their pages, and share the list when it is good.
        </EmptyState>
      ) : null}
    </div>
  );
}

function Own({ own }: { own: CollectionSummary[] }): ReactNode {
  if (own.length > 0) return <Group collections={own} title="Yours" />;
  return (
    <EmptyState
      action={<LinkButton href={routes.catalogue}>Browse agents</LinkButton>}
      title="You have no collection yet"
    >
      Press “Save” on an agent’s page to begin one.
    </EmptyState>
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

function CollectionCard({ collection }: { collection: CollectionSummary }): ReactNode {
  const { id, title, description, visibility, agents, keeper, isOwn, isCurated } = collection;
  return (
    <article className="group relative flex h-full flex-col rounded-lg border border-line bg-surface p-5 shadow-card transition-colors duration-100 hover:border-line-strong has-focus-visible:border-line-strong">
      <h3 className="leading-snug font-semibold" dir="auto">
        <Link
          className="after:absolute after:inset-0 after:rounded-lg group-hover:text-accent"
          href={collectionPath(id)}
          prefetch={false}
        >
          {title}
        </Link>
      </h3>
      {description ? (
        <p className="mt-2 line-clamp-3 text-sm text-muted" dir="auto">
          {description}
        </p>
      ) : null}
      <p className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-4 text-xs text-muted">
        <span>{agents === 1 ? '1 agent' : `${agents} agents`}</span>
        {keeper && !isOwn && !isCurated ? (
          <span>
            by <bdi>{keeper}</bdi>
          </span>
        ) : null}
        {isOwn ? <Badge>{visibility === 'public' ? 'Public' : 'Private'}</Badge> : null}
      </p>
    </article>
  );
}
