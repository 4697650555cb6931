import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { cache, type ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { languageAlternates } from '@/app/language-alternates';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { PublisherView } from '@/components/market/directory/publisher-view';
import { readCatalogQuery } from '@/components/market/listing/catalog-url';
import { publisherPath } from '@/components/routes';
import { getPublisher } from '@/lib/catalog';
import { searchAgents } from '@/lib/discovery';

interface Props {
  params: Promise<{ handle: string }>;
}

const findPublisher = cache((handle: string) => orNotFound(fromReplica(() => getPublisher({ input: { handle } }))));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { name, bio, handle, agents } = await findPublisher((await params).handle);
  const t = await getTranslations('market.pages.publisher');
  return {
    title: name,
    description: bio.slice(0, 200) || t('description', { name }),
    alternates: await languageAlternates(publisherPath(handle)),
    robots: { index: agents.length > 0 },
  };
}

export default async function PublisherRoute({ params }: Props): Promise<ReactNode> {
  const publisher = await findPublisher((await params).handle);
  const query = readCatalogQuery({ publisher: publisher.handle });
  const ctx = await pageContext();
  const agents = await fromReplica(() => searchAgents({ ctx, input: query }));
  return <PublisherView agents={agents} publisher={publisher} />;
}
