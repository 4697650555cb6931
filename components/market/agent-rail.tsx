import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { ListedAgentView } from '@/lib/discovery/schema-rankings';
import { AgentFacts } from './agent-facts';
import { agentTabPath } from './agent-tabs';
import { ReportLink } from './report-link';
import { SimilarAgents } from './similar-agents';
import { TryExample } from './try/try-example';

export interface AgentRailProps {
  agent: AgentDetail;
  /** The field to try the agent; null if it cannot be called. */
  tryIt: ReactNode;
  /** Messages that fill the field. */
  examples: string[];
  similar: ListedAgentView[];
}

/** Next to every tab: try the agent, its facts, its publisher, and similar agents. Below the tab on narrow screens. */
export function AgentRail({ agent, tryIt, examples, similar }: AgentRailProps): ReactNode {
  const t = useTranslations('market.agentRail');
  return (
    <div className="min-w-0 space-y-8">
      {tryIt ? (
        <section
          aria-labelledby="try-title"
          className="scroll-mt-32 rounded-lg border border-line bg-surface p-4 shadow-card"
          id="try"
        >
          <h2 className="font-semibold" id="try-title">
            {t('try')}
          </h2>
          <p className="mt-0.5 mb-3 text-sm text-muted">{t('tryLead')}</p>
          {tryIt}
          <p className="mt-3 text-sm">
            <Link className="text-link" href={agentTabPath(agent.slug, 'code', 'apps')} prefetch={false}>
              {t('useInApps')}
            </Link>
          </p>
          {examples.length > 0 ? (
            <ul aria-label={t('examples')} className="mt-3 border-t border-line pt-2">
              {examples.map((text) => (
                <li key={text}>
                  <TryExample example={text} slug={agent.slug} />
                </li>
              ))}
            </ul>
          ) : null}
        </section>
      ) : null}
      <aside aria-label={t('facts')}>
        <AgentFacts agent={agent} />
      </aside>
      {similar.length > 0 ? (
        <section aria-labelledby="similar-title" className="scroll-mt-32 border-t border-line pt-6" id="similar">
          <h2 className="font-semibold" id="similar-title">
            {t('similar')}
          </h2>
          <SimilarAgents agents={similar} slug={agent.slug} />
        </section>
      ) : null}
      <p className="border-t border-line pt-4 text-sm text-muted">
        {t('wrong')} <ReportLink id={agent.slug} kind="agent" />
      </p>
    </div>
  );
}
