import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { AppealView } from '@/components/moderation/appeal-view';
import { PageHeader } from '@/components/shell/page-header';
import { appealPath } from '@/components/shell/routes';
import { getOwnCase } from '@/lib/moderation';

export const metadata: Metadata = { title: 'Decision' };

export default async function AppealPage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  const { ctx } = await signedIn(appealPath(id));
  const found = await orNotFound(getOwnCase({ ctx, input: { caseId: id } }));
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead="What the moderators decided about something of yours." title="Decision" />
      <AppealView found={found} />
    </div>
  );
}
