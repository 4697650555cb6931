'use client';

import { type ReactNode, useEffect, useState } from 'react';

export type Politeness = 'polite' | 'assertive';

interface Announcement {
  text: string;
  politeness: Politeness;
}

const eventName = 'parley:announce';

/**
 * Says a sentence to screen readers without showing it: the start and the end of a reply, "Copied", an error.
 * Never call it per token. The same text twice is said twice.
 */
export function announce(text: string, politeness: Politeness = 'polite'): void {
  window.dispatchEvent(new CustomEvent<Announcement>(eventName, { detail: { text, politeness } }));
}

/** The page's two hidden live regions; mounted once, in the root layout, before anything is announced. */
export function Announcer(): ReactNode {
  const [said, setSaid] = useState({ polite: '', assertive: '' });

  useEffect(() => {
    function hear(event: Event): void {
      const { text, politeness } = (event as CustomEvent<Announcement>).detail;
      // A trailing no-break space makes a repeated sentence a change, which is what gets read.
      setSaid((old) => ({ ...old, [politeness]: old[politeness] === text ? `${text}\u00a0` : text }));
    }
    window.addEventListener(eventName, hear);
    return () => window.removeEventListener(eventName, hear);
  }, []);

  return (
    <div className="sr-only top-0 start-0">
      <p aria-live="polite" role="status">
        {said.polite}
      </p>
      <p aria-live="assertive" role="alert">
        {said.assertive}
      </p>
    </div>
  );
}
