import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { CollectionsView } from '@/components/market/collections-view';
import { listCollections } from '@/lib/discovery';
import { pageContext } from '@/lib/http/page-context';

export const metadata: Metadata = {
  title: 'Collections',
  description: 'Lists of agents that people and Parley’s editors put together.',
  alternates: { canonical: '/collections' },
};

export default async function CollectionsPage(): Promise<ReactNode> {
  const ctx = await pageContext();
  const { shared, own } = await listCollections({ ctx, input: {} });
  return <CollectionsView isSignedIn={ctx.actor.kind === 'user'} own={own} shared={shared} />;
}
