import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { signedIn } from '@/app/signed-in';
import { AppealView } from '@/components/moderation/appeal-view';
import { appealPath } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { getOwnCase } from '@/lib/moderation';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.appeal');
  return { title: t('title') };
}

export default async function AppealPage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const { id } = await params;
  const { ctx } = await signedIn(appealPath(id));
  const found = await orNotFound(getOwnCase({ ctx, input: { caseId: id } }));
  const t = await getTranslations('moderation.pages.appeal');
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      <AppealView found={found} />
    </div>
  );
}
