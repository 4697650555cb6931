import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { UnavailableView } from '@/components/market/directory/not-found-view';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('market.pages.gone');
  return { title: t('title'), robots: { index: false } };
}

export default async function GonePage({
  searchParams,
}: {
  searchParams: Promise<{ why?: string }>;
}): Promise<ReactNode> {
  return <UnavailableView why={(await searchParams).why === 'removed' ? 'removed' : 'withdrawn'} />;
}
