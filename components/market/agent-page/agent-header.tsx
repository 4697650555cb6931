import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type AgentDetail, isCallable, type Notice, type PresenceView } from '@/lib/catalog/schema';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import type { ReviewSummary } from '@/lib/reviews/schema';
import { agentPath, appealPath, newChatPath, publisherPath, routes } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { useFormat } from '../../ui/display/format';
import { ArrowRightIcon } from '../../ui/display/icons';
import { AgentIcon } from '../listing/agent-icon';
import { agentTabPath } from '../listing/agent-tabs';
import { CapabilityBadges, headerCapabilities, ListingBadges } from '../listing/capability-badges';
import { DemoBadge, HealthBadge, PresenceBadge } from '../listing/health-badge';
import { LookAlikeNote } from '../listing/look-alike-note';
import { PriceText } from '../listing/price-text';
import { RatingValue } from '../listing/stars';
import { SaveAgent } from '../saved/save-agent';

/** The team's notice about an agent. */
export function AgentNotice({ notice: { kind, text, replacement } }: { notice: Notice }): ReactNode {
  const t = useTranslations('market.agentNotice');
  return (
    <Alert title={t(`title.${kind}`)} tone={kind === 'note' ? 'info' : 'warn'}>
      {text ? <p dir="auto">{text}</p> : null}
      {replacement ? (
        <p>
          {t.rich('replacement', {
            slug: replacement,
            agent: (chunks) => (
              <Link className="text-link" href={agentPath(replacement)} prefetch={false}>
                {chunks}
              </Link>
            ),
          })}
        </p>
      ) : null}
    </Alert>
  );
}

interface AgentHeaderProps {
  agent: AgentDetail;
  /** Id of the moderation case in which the agent was removed, for the owner's appeal; null otherwise. */
  caseId: string | null;
  standing: AgentRanking;
  /** Null for an agent with its own URL. */
  presence: PresenceView | null;
  signedIn: boolean;
}

/** The agent's name, publisher and state, its badges that matter to every user, and the button to start a conversation with it. */
export function AgentHeader({ agent, caseId, standing, presence, signedIn }: AgentHeaderProps): ReactNode {
  const t = useTranslations('market.agentHeader');
  const callable = isCallable(agent.status);
  return (
    <header>
      <Link
        className="inline-flex min-h-8 items-center gap-1.5 text-sm text-muted hover:text-ink hover:underline touch:min-h-11"
        href={routes.catalog}
        prefetch={false}
      >
        <ArrowRightIcon className="rotate-180" size={15} />
        {t('allAgents')}
      </Link>
      <div className="mt-3 flex flex-wrap items-start gap-x-5 gap-y-4">
        <AgentIcon agent={agent} size={72} />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-3xl font-semibold" dir="auto">
            {agent.name}
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-1.5 text-muted">
            <Publisher publisher={agent.publisher} />
          </p>
          <div className="mt-2.5 flex flex-wrap gap-1.5 empty:hidden">
            {presence ? (
              <PresenceBadge presence={presence} />
            ) : standing.health === 'unknown' ? null : (
              <HealthBadge health={standing.health} isUnderMaintenance={standing.rung !== 'listed'} />
            )}
            {standing.hasDemoData ? <DemoBadge /> : null}
            <ListingBadges status={agent.status} visibility={agent.visibility} />
            <CapabilityBadges capabilities={agent.badges.filter((badge) => headerCapabilities.includes(badge))} />
          </div>
        </div>
        <div className="flex gap-2 max-sm:w-full">
          <SaveAgent name={agent.name} signedIn={signedIn} slug={agent.slug} />
          {callable ? (
            <LinkButton className="max-sm:flex-1" href={newChatPath(agent.slug)} size="lg" tone="primary">
              {t('chat')}
            </LinkButton>
          ) : null}
        </div>
      </div>
      {agent.looksLike ? <LookAlikeNote original={agent.looksLike} /> : null}
      <StatusNote agent={agent} caseId={caseId} />
    </header>
  );
}

function Publisher({ publisher: { name, handle } }: Pick<AgentDetail, 'publisher'>): ReactNode {
  if (handle === null) return <bdi className="text-ink">{name}</bdi>;
  return (
    <Link className="text-link" href={publisherPath(handle)} prefetch={false}>
      <bdi>{name}</bdi>
    </Link>
  );
}

const tones = { deprecated: 'warn', suspended: 'danger', withdrawn: 'danger' } as const;

function StatusNote({ agent, caseId }: Pick<AgentHeaderProps, 'agent' | 'caseId'>): ReactNode {
  const t = useTranslations('market.agentHeader');
  if (agent.status === 'active') return null;
  return (
    <Alert className="mt-5" title={t(`status.${agent.status}.title`)} tone={tones[agent.status]}>
      <p>{t(`status.${agent.status}.text`)}</p>
      {caseId ? (
        <LinkButton className="mt-3" href={appealPath(caseId)} size="sm">
          {t('readWhy')}
        </LinkButton>
      ) : null}
    </Alert>
  );
}

interface AgentFiguresProps {
  agent: AgentDetail;
  standing: AgentRanking;
  rating: ReviewSummary;
}

/**
 * The figures that are most important for a choice, next to the agent's name, each with its time window. A figure
 * without a value is not shown.
 */
export function AgentFigures({ agent, standing, rating }: AgentFiguresProps): ReactNode {
  const t = useTranslations('market.agentFigures');
  const format = useFormat();
  const { uptime, latency, use } = standing;
  const days = (count: number): string => t('days', { count });
  const hasPrice = agent.price.kind !== 'unstated';
  if (!hasPrice && rating.average === null && use.users === 0 && use.success === null && !uptime && !latency)
    return null;
  return (
    <dl className="mt-6 grid grid-cols-2 gap-x-4 gap-y-4 rounded-lg border border-line bg-surface px-4 py-3.5 sm:flex sm:flex-wrap sm:gap-x-12 sm:px-5">
      {hasPrice ? (
        <Figure name={t('price')}>
          <PriceText price={agent.price} />
        </Figure>
      ) : null}
      {rating.average === null ? null : (
        <Figure
          name={t('rating')}
          note={
            <Link className="text-link" href={agentTabPath(agent.slug, 'reviews', 'tabs')} prefetch={false}>
              {t('reviews', { count: rating.count })}
            </Link>
          }
        >
          <RatingValue average={rating.average} />
        </Figure>
      )}
      {use.users > 0 ? (
        <Figure name={t('users')} note={days(use.days)}>
          {format.number(use.users)}
        </Figure>
      ) : null}
      {use.success === null ? null : (
        <Figure name={t('success')} note={days(use.days)}>
          {format.percent(use.success)}
        </Figure>
      )}
      {uptime ? (
        <Figure name={t('uptime')} note={days(uptime.days)}>
          {format.percent(uptime.share)}
        </Figure>
      ) : null}
      {latency ? (
        <Figure name={t('latency')} note={days(latency.days)}>
          {format.duration(latency.p95Ms)}
        </Figure>
      ) : null}
    </dl>
  );
}

function Figure({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted">{name}</dt>
      <dd>
        <span className="block font-semibold tabular-nums">{children}</span>
        {note ? <span className="block text-xs text-muted">{note}</span> : null}
      </dd>
    </div>
  );
}
