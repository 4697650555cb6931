import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { ReportForm } from '@/components/moderation/report-form';
import { ReportedAgent } from '@/components/moderation/report-views';
import { PageHeader } from '@/components/shell/page-header';
import { getAgentPage } from '@/lib/catalog';
import type { AgentSummary } from '@/lib/catalog/schema';
import { targetKinds } from '@/lib/moderation/schema';
import { hasCode } from '@/lib/pages/site';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.report');
  return { title: t('title'), robots: { index: false } };
}

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ReportPage({ searchParams }: Props): Promise<ReactNode> {
  const { kind, id } = await searchParams;
  const known = targetKinds.find((one) => one === kind);
  if (!known || typeof id !== 'string' || id === '') notFound();
  const { actor } = await pageContext();
  const t = await getTranslations('moderation.pages.report');
  const agent = known === 'agent' ? await findListing(id) : null;
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t(`headings.${known}`)} />
      {agent ? <ReportedAgent agent={agent} /> : null}
      <ReportForm id={id} kind={known} signedIn={actor.kind === 'user'} />
    </div>
  );
}

/** Finds the reported agent for display; null unless the reader may see it. */
async function findListing(slug: string): Promise<AgentSummary | null> {
  try {
    return await getAgentPage({ ctx: await pageContext(), input: { slug } });
  } catch (error) {
    if (hasCode(error, 'not_found', 'gone')) return null;
    throw error;
  }
}
