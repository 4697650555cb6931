import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { ReceiptView } from '@/components/moderation/report-views';
import { PageHeader } from '@/components/shell/page-header';
import { getReceipt } from '@/lib/moderation';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.receipt');
  return { title: t('title'), robots: { index: false } };
}

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const receipt = await orNotFound(getReceipt({ input: { id: (await params).id } }));
  const t = await getTranslations('moderation.pages.receipt');
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      <ReceiptView receipt={receipt} />
    </div>
  );
}
