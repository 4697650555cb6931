'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { type AgentTab, agentTabPath, findTabOf } from '../listing/agent-tabs';

/**
 * Opens the tab that contains the section of an anchor such as `#card`. A tab selected further down starts at its top.
 * Renders nothing.
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
