import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentSummary, PresenceView } from '@/lib/catalog/schema';
import type { SearchResult } from '@/lib/discovery/schema';
import type { RankingSummary } from '@/lib/discovery/schema-rankings';
import { agentPath } from '../../routes';
import { LinkPending } from '../../ui/controls/link-pending';
import { useFormat } from '../../ui/display/format';
import { AgentIcon } from '../listing/agent-icon';
import { CapabilityBadge, ListingBadges } from '../listing/capability-badges';
import { DemoBadge, HealthBadge, PresenceBadge } from '../listing/health-badge';
import { PriceText } from '../listing/price-text';
import { RatingValue } from '../listing/stars';
import { CompareToggle } from './compare-bar';

interface AgentCardProps {
  /** The agent, with its presence if it connects to Parley and the presence is known. */
  agent: AgentSummary & { presence?: PresenceView | null };
  /** Name of the skill that matched the search. */
  matchedSkill?: string | null;
  /** The reason for the match. */
  match?: SearchResult['match'];
  /** The agent's health and rating, if known. */
  standing?: RankingSummary;
  level?: 2 | 3 | 4;
  /** True if the agent can be selected for comparison, in a `CompareList`. */
  isComparable?: boolean;
  /** A separate button on the card. */
  action?: ReactNode;
}

/**
 * One agent in a list: what a stranger needs to choose; the rest is on its page. The name is the link and covers the
 * card, so that the whole card can be clicked.
 */
export function AgentCard({
  agent,
  matchedSkill = null,
  match = null,
  standing,
  level = 2,
  isComparable = false,
  action,
}: AgentCardProps): ReactNode {
  const t = useTranslations('market.agentCard');
  const Name = `h${level}` as const;
  return (
    <article className="group relative flex h-full flex-col rounded-lg border border-line bg-surface p-5 shadow-card transition-colors duration-100 hover:border-line-strong has-focus-visible:border-line-strong">
      <div className="flex items-center gap-3">
        <AgentIcon agent={agent} size={44} />
        <div className="min-w-0">
          <Name className="truncate leading-snug font-semibold" dir="auto">
            <Link
              className="after:absolute after:inset-0 after:rounded-lg group-hover:text-accent"
              href={agentPath(agent.slug)}
              prefetch={false}
            >
              {agent.name}
              <LinkPending />
            </Link>
          </Name>
        </div>
      </div>
      <p className="mt-4 line-clamp-2 text-sm text-muted" dir="auto">
        {agent.description}
      </p>
      {matchedSkill ? (
        <p className="mt-3 text-sm">
          {t.rich('matchedSkill', {
            name: matchedSkill,
            skill: (chunks) => <bdi className="bg-signal/35 px-1 font-medium">{chunks}</bdi>,
          })}
          <MatchReason match={match} />
        </p>
      ) : null}
      <div className="mt-auto pt-4">
        <p className="flex flex-wrap justify-between gap-x-3 text-sm">
          {agent.price.kind === 'unstated' ? null : <PriceText className="font-medium" price={agent.price} />}
          {standing ? <CardRating standing={standing} /> : null}
        </p>
        <div className="mt-3 flex flex-wrap gap-1.5 empty:hidden">
          <StateBadge agent={agent} standing={standing} />
          <ListingBadges status={agent.status} visibility={agent.visibility} />
          {agent.badges.includes('verified') ? <CapabilityBadge capability="verified" /> : null}
          {standing?.hasDemoData ? <DemoBadge /> : null}
        </div>
        {isComparable || action ? (
          <div className="mt-3 flex flex-wrap items-center justify-between gap-x-3 border-t border-line pt-2">
            {isComparable ? <CompareToggle name={agent.name} slug={agent.slug} /> : null}
            {action ? <div className="relative z-10 -me-2">{action}</div> : null}
          </div>
        ) : null}
      </div>
    </article>
  );
}

/** Minimum score from which a match by meaning, or by words, explains the result. */
const minMeaning = 0.4;
const minWords = 0.5;

/** States that the skill matched by its meaning, its words, or both. */
function MatchReason({ match }: Required<Pick<AgentCardProps, 'match'>>): ReactNode {
  const t = useTranslations('market.agentCard');
  const byMeaning = (match?.semantic ?? 0) >= minMeaning;
  const byWords = (match?.words ?? 0) >= minWords;
  if (!byMeaning && !byWords) return null;
  return (
    <span className="text-muted"> · {t(byMeaning && byWords ? 'byBoth' : byMeaning ? 'byMeaning' : 'byWords')}</span>
  );
}

/** The state of an agent. For one that connects to Parley, its presence is its health. */
function StateBadge({ agent: { presence }, standing }: Pick<AgentCardProps, 'agent' | 'standing'>): ReactNode {
  if (presence) return <PresenceBadge presence={presence} />;
  if (!standing || standing.health === 'unknown') return null;
  return <HealthBadge health={standing.health} isUnderMaintenance={standing.isUnderMaintenance} />;
}

interface StandingProps {
  standing: RankingSummary;
}

/** An agent's mean rating and the number of reviews. Hidden if there are none. */
function CardRating({ standing: { rating } }: StandingProps): ReactNode {
  const t = useTranslations('market.standingLine');
  const format = useFormat();
  if (!rating) return null;
  return (
    <span className="text-muted">
      {t.rich('rating', {
        value: () => <RatingValue average={rating.average} />,
        number: format.number(rating.count),
      })}
    </span>
  );
}
