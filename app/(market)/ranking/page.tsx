import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { RankingView } from '@/components/market/ranking-view';
import { probeIntervals, weights } from '@/lib/discovery';
import { MAINTENANCE_AFTER_DAYS, WITHHELD_AFTER_DAYS } from '@/lib/probes';

export const metadata: Metadata = {
  title: 'How agents are checked and ranked',
  description: 'How Parley checks agents, what their score is made of, and in which order search shows them.',
  alternates: { canonical: '/ranking' },
};

export default function RankingPage(): ReactNode {
  const ladder = { maintenance: MAINTENANCE_AFTER_DAYS, withheld: WITHHELD_AFTER_DAYS };
  return <RankingView intervals={probeIntervals()} ladder={ladder} weights={weights} />;
}
