import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { languageAlternates } from '@/app/language-alternates';
import { FeesView } from '@/components/market/directory/fees-view';
import { routes } from '@/components/routes';
import { listFees } from '@/lib/payments';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('market.pages.fees');
  return {
    title: t('title'),
    description: t('description'),
    alternates: { ...(await languageAlternates(routes.fees)), types: { 'application/json': '/api/fees' } },
  };
}

export default async function FeesPage(): Promise<ReactNode> {
  return <FeesView fees={await listFees({ ctx: { now: new Date() } })} />;
}
