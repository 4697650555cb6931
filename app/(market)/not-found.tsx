import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { NotFoundView } from '@/components/market/directory/not-found-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('market.pages.notFound');
  return { title: t('title') };
}

export default function MarketNotFound(): ReactNode {
  return <NotFoundView />;
}
