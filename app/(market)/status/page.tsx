import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { StatusScreen } from '@/components/market/status-screen';
import { getStatus } from '@/lib/status';

export const metadata: Metadata = {
  title: 'Status',
  description: 'How every part of this Parley does now, and did over the last 90 days.',
  alternates: { canonical: '/status', types: { 'application/json': '/api/status' } },
};

export default async function StatusPage(): Promise<ReactNode> {
  return <StatusScreen status={await getStatus({ ctx: { now: new Date() } })} />;
}
