'use client';

import { useLinkStatus } from 'next/link';
import type { ReactNode } from 'react';
import { PendingBar } from './pending-bar';

/** Inside a `Link`: shows immediately that the click was received, even if the next page is slow. */
export function LinkPending(): ReactNode {
  return useLinkStatus().pending ? <PendingBar /> : null;
}
