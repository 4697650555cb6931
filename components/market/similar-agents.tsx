import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ListedAgentView } from '@/lib/discovery/schema-rankings';
import { agentPath } from '../routes';
import { AgentIcon } from './agent-icon';
import { comparePath, maxCompared } from './compare/compare-url';
import { PriceText } from './price-text';
import { RatingValue } from './rating-value';

export interface SimilarAgentsProps {
  /** The agent that they resemble. */
  slug: string;
  agents: ListedAgentView[];
}

/** Similar agents in a narrow list, and a comparison with the first of them. */
export function SimilarAgents({ slug, agents }: SimilarAgentsProps): ReactNode {
  const t = useTranslations('market.similarAgents');
  const compared = [slug, ...agents.map((agent) => agent.slug)].slice(0, maxCompared);
  return (
    <>
      <ul className="mt-2 -mx-2">
        {agents.map((agent) => (
          <li key={agent.slug}>
            <Link
              className="group flex min-h-11 items-center gap-3 rounded-md px-2 py-2 hover:bg-sunken"
              href={agentPath(agent.slug)}
              prefetch={false}
            >
              <AgentIcon agent={agent} size={36} />
              <span className="min-w-0 flex-1">
                <bdi className="block truncate text-sm font-medium group-hover:text-accent">{agent.name}</bdi>
                <span className="flex gap-x-2 text-xs text-muted">
                  <PriceText price={agent.price} />
                  {agent.standing.rating ? <RatingValue average={agent.standing.rating.average} /> : null}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm">
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
