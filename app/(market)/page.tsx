import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { HomeHero } from '@/components/market/home/home-hero';
import { HomeAgents, HomeBenefits, HomeDevelopers, HomeSteps } from '@/components/market/home/home-sections';
import { readCatalogQuery } from '@/components/market/listing/catalog-url';
import { isConciergeOpen } from '@/lib/concierge';
import { searchAgents } from '@/lib/discovery';
import { siteOrigin } from '@/lib/pages/site';

export const metadata: Metadata = { alternates: { canonical: '/' } };

export default async function HomePage(): Promise<ReactNode> {
  const ctx = await pageContext();
  const [best, hasConcierge] = await Promise.all([
    searchAgents({ ctx, input: readCatalogQuery({ limit: '6' }) }),
    isConciergeOpen(),
  ]);
  return (
    <>
      <HomeHero hasConcierge={hasConcierge} tags={best.facets.tags} />
      <HomeAgents agents={best.items} />
      <HomeSteps />
      <HomeBenefits />
      <HomeDevelopers origin={siteOrigin()} />
    </>
  );
}
