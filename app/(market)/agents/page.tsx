import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { languageAlternates } from '@/app/language-alternates';
import { pageContext } from '@/app/page-context';
import { catalogHref, readCatalogQuery, type SearchParams } from '@/components/market/listing/catalog-url';
import { CatalogView } from '@/components/market/search/catalog-view';
import { getSearchHelp, searchAgents } from '@/lib/discovery';
import type { SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { hasCode } from '@/lib/pages/site';

interface CatalogProps {
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ searchParams }: CatalogProps): Promise<Metadata> {
  const query = readCatalogQuery(await searchParams);
  const t = await getTranslations('market.pages.agents');
  const feed = { 'application/atom+xml': [{ url: '/feed.xml', title: t('feed') }] };
  return {
    title: query.q ? t('titleFor', { query: query.q }) : t('title'),
    description: t('description'),
    alternates: { ...(await languageAlternates(catalogHref(query, { cursor: query.cursor }))), types: feed },
  };
}

export default async function CatalogPage({ searchParams }: CatalogProps): Promise<ReactNode> {
  const query = readCatalogQuery(await searchParams);
  const page = await fromReplica(() => search(query));
  const ctx = await pageContext();
  const needsHelp = page.isWeak || page.items.length === 0;
  return (
    <CatalogView
      help={needsHelp ? await fromReplica(() => getSearchHelp({ ctx })) : null}
      page={page}
      query={query}
      signedIn={ctx.actor.kind === 'user'}
    />
  );
}

/** Returns one page of results. A cursor of another search results in the first page of this one. */
async function search(query: SearchQuery): Promise<SearchPage> {
  try {
    return await searchAgents({ ctx: await pageContext(), input: query });
  } catch (error) {
    if (query.cursor && hasCode(error, 'invalid_request')) redirect(catalogHref(query));
    throw error;
  }
}
