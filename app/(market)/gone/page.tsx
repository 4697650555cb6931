import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { GoneView } from '@/components/market/gone-view';

export const metadata: Metadata = { title: 'Agent withdrawn', robots: { index: false } };

export default function GonePage(): ReactNode {
  return <GoneView />;
}
