import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import type { ReviewSummary } from '@/lib/reviews/schema';
import { useFormat } from '../ui/display/format';
import { agentTabPath } from './agent-tabs';
import { PriceText } from './price-text';
import { RatingValue } from './rating-value';

export interface AgentFiguresProps {
  agent: AgentDetail;
  standing: AgentRanking;
  rating: ReviewSummary;
}

/** The figures that matter most for a choice, next to the agent's name, each with its time window. */
export function AgentFigures({ agent, standing, rating }: AgentFiguresProps): ReactNode {
  const t = useTranslations('market.agentFigures');
  const format = useFormat();
  const { uptime, latency, use } = standing;
  const days = (count: number): string => t('days', { count });
  return (
    <dl className="mt-6 grid grid-cols-3 gap-x-4 gap-y-4 rounded-lg border border-line bg-surface px-4 py-3.5 sm:px-5 md:grid-cols-6">
      <Figure name={t('price')}>
        <PriceText price={agent.price} />
      </Figure>
      <Figure
        name={t('rating')}
        note={
          <Link className="text-link" href={agentTabPath(agent.slug, 'reviews', 'tabs')} prefetch={false}>
            {t('reviews', { count: rating.count })}
          </Link>
        }
      >
        {rating.average === null ? t('none') : <RatingValue average={rating.average} />}
      </Figure>
      <Figure name={t('users')} note={days(use.days)}>
        {format.number(use.users)}
      </Figure>
      <Figure name={t('success')} note={days(use.days)}>
        {use.success === null ? t('none') : format.percent(use.success)}
      </Figure>
      <Figure name={t('uptime')} note={days(uptime?.days ?? use.days)}>
        {uptime ? format.percent(uptime.share) : t('none')}
      </Figure>
      <Figure name={t('latency')} note={latency ? days(latency.days) : null}>
        {latency ? format.duration(latency.p95Ms) : t('none')}
      </Figure>
    </dl>
  );
}

function Figure({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="truncate text-xs text-muted">{name}</dt>
      <dd>
        <span className="block font-semibold tabular-nums">{children}</span>
        {note ? <span className="block text-xs text-muted">{note}</span> : null}
      </dd>
    </div>
  );
}
