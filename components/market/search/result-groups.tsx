import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Fit, SearchPage, SearchQuery, SearchResult } from '@/lib/discovery/schema';
import { AgentCard } from '../cards/agent-card';

interface ResultGroupsProps {
  query: SearchQuery;
  page: SearchPage;
}

/**
 * The results of a search: those that fit without a heading, those that might fit, and the closest ones. Other orders
 * than relevance are not grouped.
 */
export function ResultGroups({ query, page }: ResultGroupsProps): ReactNode {
  const t = useTranslations('market.resultGroups');
  if (query.sort !== 'relevance' && !page.isWeak) return <ResultList items={page.items} level={3} />;
  const of = (level: Fit): SearchResult[] => page.items.filter(({ fit }) => fit === level);
  const fitting = page.items.filter(({ fit }) => fit === null || fit === 'fits');
  return (
    <div className="space-y-10">
      {fitting.length > 0 ? <ResultList items={fitting} level={3} /> : null}
      <Group id="might-fit" items={of('might_fit')} title={t('mightFit')} />
      <Group id="closest" items={of('closest')} title={t(page.isWeak ? 'closest' : 'closestOthers')} />
    </div>
  );
}

/** Results under a quiet heading. */
function Group({ id, title, items }: { id: string; title: string; items: SearchResult[] }): ReactNode {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 className="mb-3 border-b border-line pb-2 text-sm font-medium text-muted" id={id}>
        {title}
      </h3>
      <ResultList items={items} level={4} />
    </section>
  );
}

function ResultList({ items, level }: { items: SearchResult[]; level: 3 | 4 }): ReactNode {
  return (
    <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {items.map((agent) => (
        <li key={agent.slug}>
          <AgentCard
            agent={agent}
            isComparable
            level={level}
            match={agent.match}
            matchedSkill={agent.matchedSkill}
            standing={agent.standing}
          />
        </li>
      ))}
    </ul>
  );
}
