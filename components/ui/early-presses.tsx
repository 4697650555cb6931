'use client';

import { useEffect } from 'react';

/**
 * Says that the page listens from now on, so that what was pressed before is done (`lib/http/pages/event-replay.ts`). A moment later
 * than it does, when what was written before has been taken over too. Mounted once, in the root layout.
 */
export function EarlyPresses(): null {
  useEffect(() => {
    const timer = setTimeout(() => window.dispatchEvent(new Event('parley:listens')));
    return () => clearTimeout(timer);
  }, []);
  return null;
}
