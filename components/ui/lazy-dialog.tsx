'use client';

import { type ReactNode, Suspense } from 'react';
import type { DialogProps } from './dialog';
import { lazyPart } from './lazy-part';

const Dialog = lazyPart(async () => (await import('./dialog')).Dialog);

/** An open `Dialog` whose script comes when it is first needed, for pages that count every byte. Mount it to open it. */
export function LazyDialog(props: Omit<DialogProps, 'open' | 'trigger'>): ReactNode {
  return (
    <Suspense fallback={null}>
      <Dialog {...props} open />
    </Suspense>
  );
}
