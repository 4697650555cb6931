import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { ReportForm } from '@/components/moderation/report-form';
import { PageHeader } from '@/components/shell/page-header';
import { pageContext } from '@/lib/http/page-context';
import { type TargetKind, targetKinds } from '@/lib/moderation/schema';

export const metadata: Metadata = { title: 'Report', robots: { index: false } };

const titles: Record<TargetKind, string> = {
  agent: 'Report an agent',
  review: 'Report a review',
  share: 'Report a conversation',
};

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ReportPage({ searchParams }: Props): Promise<ReactNode> {
  const { kind, id } = await searchParams;
  const known = targetKinds.find((one) => one === kind);
  if (!known || typeof id !== 'string' || id === '') notFound();
  const { actor } = await pageContext();
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader
        lead="Moderators look at every report. That a review is negative, or an agent of no use to you, is no reason."
        title={titles[known]}
      />
      <ReportForm id={id} kind={known} signedIn={actor.kind === 'user'} />
    </div>
  );
}
