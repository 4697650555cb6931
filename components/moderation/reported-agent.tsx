import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AgentSummary } from '@/lib/catalog/schema';
import { AgentIcon } from '../market/agent-icon';
import { agentPath } from '../routes';

/** The subject of a report. */
export function ReportedAgent({ agent }: { agent: Pick<AgentSummary, 'slug' | 'name' | 'iconUrl'> }): ReactNode {
  return (
    <div className="mb-6 flex max-w-xl items-center gap-3 rounded-lg border border-line bg-surface p-4">
      <AgentIcon agent={agent} size={40} />
      <div className="min-w-0">
        <Link className="block truncate font-medium hover:underline" dir="auto" href={agentPath(agent.slug)}>
          {agent.name}
        </Link>
        <p className="truncate font-mono text-xs text-muted">{agent.slug}</p>
      </div>
    </div>
  );
}
