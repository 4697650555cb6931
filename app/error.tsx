'use client';

import type { ReactNode } from 'react';
import { ErrorView } from '@/components/shell/error-view';

export default function RootError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}): ReactNode {
  return <ErrorView digest={error.digest} onRetry={reset} />;
}
