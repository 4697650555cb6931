import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { languageAlternates } from '@/app/language-alternates';
import { RankingView } from '@/components/market/directory/ranking-view';
import { probeIntervals, SCORE_WEIGHTS } from '@/lib/discovery';
import { MAINTENANCE_AFTER_DAYS, WITHHELD_AFTER_DAYS } from '@/lib/probes';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('market.pages.ranking');
  return { title: t('title'), description: t('description'), alternates: await languageAlternates('/ranking') };
}

export default function RankingPage(): ReactNode {
  const ladder = { maintenance: MAINTENANCE_AFTER_DAYS, withheld: WITHHELD_AFTER_DAYS };
  return <RankingView intervals={probeIntervals()} ladder={ladder} weights={SCORE_WEIGHTS} />;
}
