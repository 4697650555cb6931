import type { ReactNode } from 'react';

/** A line along the top of the window while the next page is on its way. Pages that come at once never show it. */
export function PendingBar(): ReactNode {
  return <span aria-hidden="true" className="pending-bar" />;
}
