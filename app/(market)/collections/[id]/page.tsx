import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { cache, type ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { languageAlternates } from '@/app/language-alternates';
import { orNotFound } from '@/app/or-not-found';
import { pageContext } from '@/app/page-context';
import { CollectionPage } from '@/components/market/collections/collection-page';
import { getCollection } from '@/lib/discovery';
import type { CollectionView } from '@/lib/discovery/schema-collections';
import { isAdmin } from '@/lib/identity';

interface CollectionProps {
  params: Promise<{ id: string }>;
}

const findCollection = cache(async (id: string): Promise<CollectionView> => {
  const ctx = await pageContext();
  return orNotFound(fromReplica(() => getCollection({ ctx, input: { id } })));
});

export async function generateMetadata({ params }: CollectionProps): Promise<Metadata> {
  const { id, title, description, visibility } = await findCollection((await params).id);
  const t = await getTranslations('market.pages.collection');
  return {
    title,
    description: description || t('description', { title }),
    alternates: await languageAlternates(`/collections/${id}`),
    robots: { index: visibility === 'public' },
  };
}

export default async function OneCollectionPage({ params }: CollectionProps): Promise<ReactNode> {
  const { actor } = await pageContext();
  return <CollectionPage collection={await findCollection((await params).id)} isAdmin={isAdmin(actor)} />;
}
