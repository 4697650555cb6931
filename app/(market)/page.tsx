import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { fromReplica } from '@/app/from-replica';
import { languageAlternates } from '@/app/language-alternates';
import { pageContext } from '@/app/page-context';
import { HomeHero } from '@/components/market/home/home-hero';
import { HomeAgents, HomeBenefits, HomeDevelopers } from '@/components/market/home/home-sections';
import { readCatalogQuery } from '@/components/market/listing/catalog-url';
import { listNeeds } from '@/lib/chat';
import { isConciergeOpen } from '@/lib/concierge';
import { searchAgents } from '@/lib/discovery';
import { siteOrigin } from '@/lib/pages/site';

export async function generateMetadata(): Promise<Metadata> {
  return { alternates: await languageAlternates('/') };
}

export default async function HomePage(): Promise<ReactNode> {
  const ctx = await pageContext();
  const [best, hasConcierge] = await Promise.all([
    fromReplica(() => searchAgents({ ctx, input: readCatalogQuery({ limit: '12' }) })),
    isConciergeOpen(),
  ]);
  const needs = await listNeeds({ ctx, input: { slugs: best.items.map(({ slug }) => slug) } });
  return (
    <>
      <HomeHero hasConcierge={hasConcierge} needs={needs} />
      <HomeAgents agents={best.items.slice(0, 6)} />
      <HomeBenefits />
      <HomeDevelopers origin={siteOrigin()} />
    </>
  );
}
