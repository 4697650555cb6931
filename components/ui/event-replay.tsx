'use client';

import { useEffect } from 'react';

/**
 * Signals that the page is hydrated, so that earlier clicks are replayed (`lib/http/pages/serve-pages.ts`). Deferred
 * by one task, after text typed before hydration was restored. Mounted once, in the root layout.
 */
export function EventReplay(): null {
  useEffect(() => {
    const timer = setTimeout(() => window.dispatchEvent(new Event('parley:listens')));
    return () => clearTimeout(timer);
  }, []);
  return null;
}
