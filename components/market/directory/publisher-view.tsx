import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { PublisherPage } from '@/lib/catalog/schema-team';
import type { SearchPage } from '@/lib/discovery/schema';
import { LinkButton } from '../../ui/controls/button';
import { Avatar } from '../../ui/display/avatar';
import { Badge } from '../../ui/display/badge';
import { EmptyState } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { useFormat } from '../../ui/display/format';
import { ShieldIcon } from '../../ui/display/icons';
import { AgentCard } from '../cards/agent-card';
import { CompareList } from '../cards/compare-list';
import { catalogHref, readCatalogQuery } from '../listing/catalog-url';
import { ExternalLink } from '../listing/links';
import { RatingValue } from '../listing/stars';

export interface PublisherViewProps {
  publisher: PublisherPage;
  /** The best of their public agents. */
  agents: Pick<SearchPage, 'items' | 'total'>;
}

/** A publisher, their verified domains, and their public agents. */
export function PublisherView({ publisher, agents: { items, total } }: PublisherViewProps): ReactNode {
  const t = useTranslations('market.publisherView');
  const format = useFormat();
  const { name, handle, bio, link, hosts } = publisher;
  return (
    <div className="page-x py-8 lg:py-12">
      <header className="flex flex-col gap-5 sm:flex-row">
        <Avatar className="rounded-full" name={name} seed={handle} size={72} />
        <div className="min-w-0">
          <h1 className="text-3xl font-semibold [overflow-wrap:anywhere]" dir="auto">
            {name}
          </h1>
          <p className="mt-1 font-mono text-sm text-muted">{handle}</p>
          {bio ? (
            <p className="mt-4 max-w-prose whitespace-pre-line [overflow-wrap:anywhere]" dir="auto">
              {bio}
            </p>
          ) : null}
          <PublisherFacts items={items} publisher={publisher} total={total} />
          {link || hosts.length > 0 ? (
            <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
              {link ? <ExternalLink href={link} /> : null}
              {hosts.length > 0 ? (
                <ul aria-label={t('hosts')} className="flex flex-wrap gap-1.5">
                  {hosts.map((host) => (
                    <li key={host} title={t('hostProved')}>
                      <Badge icon={<ShieldIcon className="text-accent" size={14} />}>{host}</Badge>
                    </li>
                  ))}
                </ul>
              ) : null}
            </div>
          ) : null}
        </div>
      </header>
      <h2 className="mt-10 mb-4 text-xl font-semibold">{t('agents')}</h2>
      {items.length === 0 ? (
        <EmptyState level={3} title={t('empty')}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <CompareList>
          <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {items.map((agent) => (
              <li key={agent.slug}>
                <AgentCard agent={agent} isComparable level={3} standing={agent.standing} />
              </li>
            ))}
          </ul>
        </CompareList>
      )}
      {total > items.length ? (
        <p className="mt-6">
          <LinkButton href={catalogHref(readCatalogQuery({ publisher: handle }))}>
            {t('showAll', { number: format.number(total) })}
          </LinkButton>
        </p>
      ) : null}
    </div>
  );
}

/** The number of agents, their mean rating, and the date of the publisher's first listing. */
function PublisherFacts({
  publisher: { joinedAt },
  items,
  total,
}: Pick<PublisherViewProps, 'publisher'> & PublisherViewProps['agents']): ReactNode {
  const t = useTranslations('market.publisherView');
  const format = useFormat();
  const rating = items.length === total ? meanRating(items) : null;
  return (
    <p className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted">
      <span>{t('count', { count: total, number: format.number(total) })}</span>
      {rating ? (
        <span>
          {t.rich('rating', {
            value: () => <RatingValue average={rating.average} />,
            count: rating.count,
            number: format.number(rating.count),
          })}
        </span>
      ) : null}
      <span>{t.rich('since', { date: () => <DateTime at={joinedAt} show="day" /> })}</span>
    </p>
  );
}

/** Returns the mean of all reviews; null if there are no reviews. */
function meanRating(items: SearchPage['items']): { average: number; count: number } | null {
  const ratings = items.flatMap(({ standing }) => standing.rating ?? []);
  const count = ratings.reduce((sum, rating) => sum + rating.count, 0);
  if (count === 0) return null;
  return { average: ratings.reduce((sum, rating) => sum + rating.average * rating.count, 0) / count, count };
}
