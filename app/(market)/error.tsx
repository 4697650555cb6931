'use client';

import type { ReactNode } from 'react';
import { ErrorView } from '@/components/shell/error-view';

export default function MarketError({ error }: { error: Error & { digest?: string } }): ReactNode {
  return <ErrorView digest={error.digest} />;
}
