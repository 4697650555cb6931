'use client';

import { type ReactNode, Suspense } from 'react';
import type { DialogProps } from './dialog';
import { lazyComponent } from './lazy-component';

const Dialog = lazyComponent(async () => (await import('./dialog')).Dialog);

/** An open `Dialog` whose script is loaded on first use, for pages with a script budget. Mount it to open it. */
export function LazyDialog(props: Omit<DialogProps, 'open' | 'trigger'>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} open />
    </Suspense>
  );
}
