import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { readCatalogQuery } from '@/components/market/catalog-url';
import { HomeAgents } from '@/components/market/home-agents';
import { HomeBenefits } from '@/components/market/home-benefits';
import { HomeDevelopers } from '@/components/market/home-developers';
import { HomeHero } from '@/components/market/home-hero';
import { HomeSteps } from '@/components/market/home-steps';
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
