import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { catalogueHref, readCatalogueQuery, type SearchParams } from '@/components/market/catalogue-url';
import { CatalogueView } from '@/components/market/catalogue-view';
import { searchAgents } from '@/lib/discovery';
import type { SearchPage, SearchQuery } from '@/lib/discovery/schema';
import { pageContext } from '@/lib/http/page-context';
import { codeOf } from '../code-of';

const feed = { 'application/atom+xml': [{ url: '/feed.xml', title: 'New agents on Parley' }] };

interface CatalogueProps {
  searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ searchParams }: CatalogueProps): Promise<Metadata> {
  const query = readCatalogueQuery(await searchParams);
  return {
    title: query.q ? `Agents for “${query.q}”` : 'Agents',
    description: 'Every agent listed on Parley: search by what you need, filter by what they can do.',
    alternates: { canonical: catalogueHref(query, { cursor: query.cursor }), types: feed },
  };
}

export default async function CataloguePage({ searchParams }: CatalogueProps): Promise<ReactNode> {
  const query = readCatalogueQuery(await searchParams);
  const page = await search(query);
  return <CatalogueView page={page} query={query} />;
}

/** One page of results; a cursor that belongs to another search leads to the first page of this one. */
async function search(query: SearchQuery): Promise<SearchPage> {
  try {
    return await searchAgents({ ctx: await pageContext(), input: query });
  } catch (error) {
    if (query.cursor && codeOf(error) === 'invalid_request') redirect(catalogueHref(query));
    throw error;
  }
}
