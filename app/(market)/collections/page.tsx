import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { languageAlternates } from '@/app/language-alternates';
import { pageContext } from '@/app/page-context';
import { CollectionsView } from '@/components/market/collections/collections-view';
import { listCollections } from '@/lib/discovery';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('market.pages.collections');
  return { title: t('title'), description: t('description'), alternates: await languageAlternates('/collections') };
}

export default async function CollectionsPage(): Promise<ReactNode> {
  const ctx = await pageContext();
  const { shared, own } = await fromReplica(() => listCollections({ ctx, input: {} }));
  return <CollectionsView isSignedIn={ctx.actor.kind === 'user'} own={own} shared={shared} />;
}
