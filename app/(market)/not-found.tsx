import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { MissingView } from '@/components/market/missing-view';

export const metadata: Metadata = { title: 'Not found' };

export default function MarketNotFound(): ReactNode {
  return <MissingView />;
}
