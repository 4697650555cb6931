import type { ReactNode } from 'react';
import type { ListedAgentView } from '@/lib/discovery/schema-rankings';
import { AgentCard } from './agent-card';

/** Similar agents. The page omits the section if there are none. */
export function SimilarAgents({ agents }: { agents: ListedAgentView[] }): ReactNode {
  return (
    <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      {agents.map((agent) => (
        <li key={agent.slug}>
          <AgentCard agent={agent} level={3} standing={agent.standing} />
        </li>
      ))}
    </ul>
  );
}
