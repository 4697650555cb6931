'use client';

import { useLinkStatus } from 'next/link';
import type { ReactNode } from 'react';
import { PendingBar } from './pending-bar';

/** Inside a `Link`: answers a click at once, also when the page behind it takes its time. */
export function LinkPending(): ReactNode {
  return useLinkStatus().pending ? <PendingBar /> : null;
}
