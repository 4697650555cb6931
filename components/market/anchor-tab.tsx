'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { type AgentTab, agentTabPath, findTabOf } from './agent-tabs';

/** Follows an anchor such as `#card` to the tab that its section is on. Renders nothing. */
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
  return null;
}
