'use client';

import { useLinkStatus } from 'next/link';
import type { ReactNode } from 'react';

/** Placed inside a `Link`: indicates immediately that the click was received, even if the next page is slow. */
export function LinkPending(): ReactNode {
  return useLinkStatus().pending ? <PendingBar /> : null;
}

/** A line along the top of the window while the next page loads. Not displayed for pages that load immediately. */
export function PendingBar(): ReactNode {
  return <span aria-hidden="true" className="pending-bar" />;
}
