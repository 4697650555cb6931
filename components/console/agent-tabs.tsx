import type { ReactNode } from 'react';
import { NavLink } from '../shell/nav-link';
import { agentCardPath, agentLogPath, agentTeamPath, agentTestPath, ownAgentPath } from '../shell/routes';

/** The console's pages of one agent, side by side. */
export function AgentTabs({ slug }: { slug: string }): ReactNode {
  const home = ownAgentPath(slug);
  return (
    <nav aria-label="This agent" className="-mx-1 mb-8 flex gap-1 overflow-x-auto border-b border-line px-1 pb-2">
      <NavLink href={home} within={`${home}#`}>
        Overview
      </NavLink>
      <NavLink href={agentLogPath(slug)}>Calls</NavLink>
      <NavLink href={agentTestPath(slug)}>Test</NavLink>
      <NavLink href={agentCardPath(slug)}>Card</NavLink>
      <NavLink href={agentTeamPath(slug)}>Team</NavLink>
    </nav>
  );
}
