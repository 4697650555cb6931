import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ListAgent } from '@/components/console/register/list-agent';
import { FeeNote } from '@/components/payments/offers/fee-text';
import { listAgainPath, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { ConsoleSection } from '@/components/ui/display/card';
import { siteOrigin } from '@/lib/pages/site';
import { listFees } from '@/lib/payments';
import { listApps } from '@/lib/tokens';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('listAgent.title') };
}

interface PageProps {
  searchParams: Promise<{ url?: string | string[] }>;
}

export default async function ListAgentPage({ searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const given = (await searchParams).url;
  const url = typeof given === 'string' ? given : '';
  const { ctx } = await signedIn(url ? listAgainPath(url) : routes.listAgent);
  const [found, fees] = await Promise.all([listApps({ ctx }), listFees({ ctx })]);
  const apps = found.map(({ id, name }) => ({ id, name }));
  return (
    <>
      <PageHeader
        crumbs={[{ href: routes.console, text: t('crumbs.agents') }]}
        lead={t('listAgent.lead')}
        title={t('listAgent.title')}
      />
      <ListAgent agentsUrl={`${siteOrigin()}${routes.catalog}`} apps={apps} key={url} url={url} />
      <ConsoleSection id="fee" lead={t('listAgent.feeLead')} title={t('income.fee')}>
        <FeeNote fees={fees} />
      </ConsoleSection>
    </>
  );
}
