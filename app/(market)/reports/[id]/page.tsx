import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { orNotFound } from '@/app/or-not-found';
import { ReceiptView } from '@/components/moderation/receipt-view';
import { PageHeader } from '@/components/shell/page-header';
import { getReceipt } from '@/lib/moderation';

export const metadata: Metadata = { title: 'Your report', robots: { index: false } };

export default async function ReceiptPage({ params }: { params: Promise<{ id: string }> }): Promise<ReactNode> {
  const receipt = await orNotFound(getReceipt({ input: { id: (await params).id } }));
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead="Thank you. This page is your receipt." title="Your report" />
      <ReceiptView receipt={receipt} />
    </div>
  );
}
