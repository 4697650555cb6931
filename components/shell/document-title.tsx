'use client';

import { useEffect } from 'react';

/**
 * Keeps the tab's title during navigation: React removes a page's title before the next one exists. A second `<title>`
 * with the same text comes after the page's and counts only in between. Mounted once, in the root layout.
 */
export function DocumentTitle(): null {
  useEffect(() => {
    const { head } = document;
    const fallback = document.createElement('title');
    function follow(): void {
      const title = head.querySelector('title');
      if (!title || title === fallback) return;
      if (fallback.text !== title.text) fallback.text = title.text;
      if (!fallback.isConnected) head.append(fallback);
    }
    const observer = new MutationObserver(follow);
    observer.observe(head, { childList: true, characterData: true, subtree: true });
    follow();
    return () => {
      observer.disconnect();
      fallback.remove();
    };
  }, []);
  return null;
}
