import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { languageAlternates } from '@/app/language-alternates';
import { StatusScreen } from '@/components/market/directory/status-screen';
import { getSearchMode } from '@/lib/embeddings';
import { getStatus } from '@/lib/status';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('market.pages.status');
  return {
    title: t('title'),
    description: t('description'),
    alternates: { ...(await languageAlternates('/status')), types: { 'application/json': '/api/status' } },
  };
}

export default async function StatusPage(): Promise<ReactNode> {
  const [status, search] = await fromReplica(() =>
    Promise.all([getStatus({ ctx: { now: new Date() } }), getSearchMode()]),
  );
  return <StatusScreen search={search} status={status} />;
}
