'use client';

import { type ReactNode, useEffect, useState } from 'react';

export type Politeness = 'polite' | 'assertive';

interface Announcement {
  text: string;
  politeness: Politeness;
}

const eventName = 'parley:announce';

/**
 * Announces a sentence to screen readers without displaying it, such as "Copied". Must not be called per token. A
 * repeated text is announced again.
 */
export function announce(text: string, politeness: Politeness = 'polite'): void {
  window.dispatchEvent(new CustomEvent<Announcement>(eventName, { detail: { text, politeness } }));
}

/** The page's two hidden live regions. Mounted once, in the root layout, before any announcement. */
export function Announcer(): ReactNode {
  const [message, setMessage] = useState({ polite: '', assertive: '' });

  useEffect(() => {
    function onAnnounce(event: Event): void {
      const { text, politeness } = (event as CustomEvent<Announcement>).detail;
      // A trailing no-break space makes a repeated sentence a change, so that it is announced.
      setMessage((old) => ({ ...old, [politeness]: old[politeness] === text ? `${text}\u00a0` : text }));
    }
    window.addEventListener(eventName, onAnnounce);
    return () => window.removeEventListener(eventName, onAnnounce);
  }, []);

  return (
    <div className="sr-only top-0 start-0">
      <p aria-live="polite" role="status">
        {message.polite}
      </p>
      <p aria-live="assertive" role="alert">
        {message.assertive}
      </p>
    </div>
  );
}
