import type { ReactNode } from 'react';

/** A line along the top of the window while the next page loads. Pages that load immediately never show it. */
export function PendingBar(): ReactNode {
  return <span aria-hidden="true" className="pending-bar" />;
}
