'use client';

import { useEffect } from 'react';

/**
 * Keeps the name of the tab while one goes from page to page: React takes a page's title away before that of the next one is
 * there. A second title with the same text stands behind the page's, where it counts only meanwhile; React writes a new one
 * before all others. Mounted once, in the root layout.
 */
export function TabName(): null {
  useEffect(() => {
    const { head } = document;
    const kept = document.createElement('title');
    function follow(): void {
      const title = head.querySelector('title');
      if (!title || title === kept) return;
      if (kept.text !== title.text) kept.text = title.text;
      if (!kept.isConnected) head.append(kept);
    }
    const observer = new MutationObserver(follow);
    observer.observe(head, { childList: true, characterData: true, subtree: true });
    follow();
    return () => {
      observer.disconnect();
      kept.remove();
    };
  }, []);
  return null;
}
