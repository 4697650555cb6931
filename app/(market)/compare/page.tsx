import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { pageContext } from '@/app/page-context';
import { comparePath, maxCompared, readCompared } from '@/components/market/cards/compare-url';
import { CompareView } from '@/components/market/compare/compare-view';
import type { ComparedAgent } from '@/components/market/compare/fact-properties';
import { getAgentPage } from '@/lib/catalog';
import { getRanking } from '@/lib/discovery';
import { getPresence } from '@/lib/hub';
import { hasCode } from '@/lib/pages/site';

interface CompareProps {
  searchParams: Promise<{ agents?: string | string[]; only?: string | string[] }>;
}

export async function generateMetadata({ searchParams }: CompareProps): Promise<Metadata> {
  const t = await getTranslations('market.pages.compare');
  const slugs = readCompared((await searchParams).agents).slice(0, maxCompared);
  return {
    title: t('title'),
    description: t('description'),
    alternates: { canonical: comparePath(slugs) },
    robots: { index: slugs.length === 0 },
  };
}

export default async function ComparePage({ searchParams }: CompareProps): Promise<ReactNode> {
  const { agents, only } = await searchParams;
  const slugs = readCompared(agents);
  const compared = slugs.slice(0, maxCompared);
  const found = await fromReplica(() => Promise.all(compared.map(findCompared)));
  return (
    <CompareView
      agents={found.filter((agent) => agent !== null)}
      left={slugs.slice(maxCompared, 2 * maxCompared)}
      onlyDifferences={only === 'differences'}
      unknown={compared.filter((_, index) => found[index] === null)}
    />
  );
}

/** Returns the agent; null unless the reader may see it. */
async function findCompared(slug: string): Promise<ComparedAgent | null> {
  const call = { ctx: await pageContext(), input: { slug } };
  try {
    const [detail, standing, presence] = await Promise.all([getAgentPage(call), getRanking(call), getPresence(call)]);
    return { detail, standing, presence };
  } catch (error) {
    if (hasCode(error, 'not_found', 'gone')) return null;
    throw error;
  }
}
