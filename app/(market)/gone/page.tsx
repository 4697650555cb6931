import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { GoneView } from '@/components/market/gone-view';

export const metadata: Metadata = { title: 'Agent gone', robots: { index: false } };

export default async function GonePage({
  searchParams,
}: {
  searchParams: Promise<{ why?: string }>;
}): Promise<ReactNode> {
  return <GoneView why={(await searchParams).why === 'removed' ? 'removed' : 'withdrawn'} />;
}
