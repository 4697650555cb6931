'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { type AgentTab, agentTabPath, findTabOf } from '../listing/agent-tabs';

/**
 * Follows an anchor such as `#card` to the tab that its section is on. A tab that was chosen further down begins at its
 * start. Renders nothing.
 */
export function AnchorTab({ slug, current }: { slug: string; current: AgentTab }): null {
  const router = useRouter();
  useEffect(() => {
    function follow(): void {
      const section = location.hash.slice(1);
      const tab = findTabOf(section);
      if (tab && tab !== current) router.replace(agentTabPath(slug, tab, section));
    }
    follow();
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, [current, router, slug]);
  const shown = useRef(current);
  useEffect(() => {
    if (shown.current === current) return;
    shown.current = current;
    const panel = document.getElementById('tab');
    if (panel && location.hash === '' && panel.getBoundingClientRect().top < 0) panel.scrollIntoView();
  }, [current]);
  return null;
}
