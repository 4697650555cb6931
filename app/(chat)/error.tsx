'use client';

import type { ReactNode } from 'react';
import { ErrorView } from '@/components/shell/error-view';
import { mainId } from '@/components/shell/skip-link';

export default function ChatError({ error }: { error: Error & { digest?: string } }): ReactNode {
  return (
    <main className="min-w-0 flex-1 overflow-y-auto outline-none" id={mainId} tabIndex={-1}>
      <ErrorView digest={error.digest} />
    </main>
  );
}
