import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ListedAgentView } from '@/lib/discovery/schema-rankings';
import { AgentCard } from './agent-card';
import { comparePath, maxCompared } from './compare/compare-url';

export interface SimilarAgentsProps {
  /** The agent that they resemble. */
  slug: string;
  agents: ListedAgentView[];
}

/** Similar agents, and a comparison with the first of them. The page omits the section if there are none. */
export function SimilarAgents({ slug, agents }: SimilarAgentsProps): ReactNode {
  const t = useTranslations('market.similarAgents');
  const compared = [slug, ...agents.map((agent) => agent.slug)].slice(0, maxCompared);
  return (
    <>
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {agents.map((agent) => (
          <li key={agent.slug}>
            <AgentCard agent={agent} level={3} standing={agent.standing} />
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm">
        <Link
          className="text-link inline-flex min-h-8 items-center touch:min-h-11"
          href={comparePath(compared)}
          prefetch={false}
        >
          {t('compare')}
        </Link>
      </p>
    </>
  );
}
