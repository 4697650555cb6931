import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import {
  type ReviewerStatus,
  type ReviewPage,
  type ReviewSort,
  type ReviewSummary,
  reviewSorts,
} from '@/lib/reviews/schema';
import { agentPath, signInPath } from '../../../routes';
import { LinkButton } from '../../../ui/controls/button';
import { EmptyState } from '../../../ui/display/card';
import { useFormat } from '../../../ui/display/format';
import { agentTabPath } from '../../listing/agent-tabs';
import { Stars } from '../../listing/stars';
import { OwnReview } from './own-review';
import { ReviewList } from './review-list';

/** All data about an agent's reviews on its page. */
export interface AgentReviews {
  page: ReviewPage;
  sort: ReviewSort;
  standing: ReviewerStatus;
}

interface ReviewSectionProps {
  slug: string;
  publisher: string;
  reviews: AgentReviews;
}

/** Reviews by users of the agent. Reading them needs no JavaScript, because order and pages are in the URL. */
export function ReviewSection({ slug, publisher, reviews }: ReviewSectionProps): ReactNode {
  const t = useTranslations('market.reviewSection');
  const { page, sort, standing } = reviews;
  const hrefOf = (order: ReviewSort, number: number): string => {
    const query = new URLSearchParams({
      tab: 'reviews',
      ...(order === 'newest' ? {} : { sort: order }),
      ...(number > 1 ? { reviews: String(number) } : {}),
    });
    return `${agentPath(slug)}?${query}#reviews`;
  };
  return (
    <div className="space-y-6">
      <RatingSummary summary={page.summary} />
      <Invitation slug={slug} standing={standing} />
      {page.summary.count === 0 ? (
        <EmptyState level={3} title={t('empty')}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <>
          <SortLinks hrefOf={(order) => hrefOf(order, 1)} sort={sort} />
          <ReviewList mayReply={standing.mayReply} publisher={publisher} reviews={page.items} slug={slug} />
          <PageLinks hrefOf={(number) => hrefOf(sort, number)} page={page.page} pages={page.pages} />
        </>
      )}
    </div>
  );
}

function Invitation({ slug, standing: { permission, own } }: { slug: string; standing: ReviewerStatus }): ReactNode {
  const t = useTranslations('market.reviewSection');
  if (own || permission === 'yes') return <OwnReview own={own} slug={slug} />;
  if (permission === 'not-used') {
    return <p className="text-sm text-muted">{t('notUsed')}</p>;
  }
  if (permission === 'own-agent') return null;
  return (
    <p className="text-sm text-muted">
      {t.rich('signIn', {
        link: (chunks) => (
          <Link className="text-link" href={signInPath(agentTabPath(slug, 'reviews', 'reviews'))} prefetch={false}>
            {chunks}
          </Link>
        ),
      })}
    </p>
  );
}

function SortLinks({ sort, hrefOf }: { sort: ReviewSort; hrefOf: (order: ReviewSort) => string }): ReactNode {
  const t = useTranslations('market.reviewSection');
  return (
    <nav aria-label={t('order')} className="flex flex-wrap items-center gap-1 text-sm">
      {reviewSorts.map((order) => (
        <Link
          aria-current={order === sort ? 'true' : undefined}
          className="inline-flex min-h-8 items-center rounded-md px-2.5 text-muted hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink touch:min-h-11"
          href={hrefOf(order)}
          key={order}
          prefetch={false}
          scroll={false}
        >
          {t(order)}
        </Link>
      ))}
    </nav>
  );
}

interface PageLinksProps {
  page: number;
  pages: number;
  hrefOf: (page: number) => string;
}

function PageLinks({ page, pages, hrefOf }: PageLinksProps): ReactNode {
  const t = useTranslations('market.reviewSection');
  if (pages <= 1) return null;
  return (
    <nav aria-label={t('pages')} className="flex items-center gap-3 text-sm">
      {page > 1 ? (
        <LinkButton href={hrefOf(page - 1)} size="sm">
          {t('previous')}
        </LinkButton>
      ) : null}
      <span className="text-muted">{t('page', { page: String(page), pages: String(pages) })}</span>
      {page < pages ? (
        <LinkButton href={hrefOf(page + 1)} size="sm">
          {t('next')}
        </LinkButton>
      ) : null}
    </nav>
  );
}

/** A summary of the reviews: mean, count, and distribution of stars. */
function RatingSummary({ summary }: { summary: ReviewSummary }): ReactNode {
  const t = useTranslations('market.ratingSummary');
  const tValue = useTranslations('market.ratingValue');
  const format = useFormat();
  const { count, average, distribution } = summary;
  if (average === null) return null;
  const rows = distribution.map((number, index) => ({ stars: index + 1, number })).reverse();
  return (
    <div className="flex flex-wrap items-center gap-x-10 gap-y-5 rounded-lg border border-line bg-surface p-5">
      <div>
        <p className="text-3xl font-semibold tabular-nums">
          {format.rating(average)}
          <span aria-hidden="true" className="text-base font-normal text-muted">
            {tValue('scale')}
          </span>
        </p>
        <p className="mt-1">
          <Stars value={average} />
        </p>
        <p className="mt-1 text-sm text-muted">{t('reviews', { count, number: format.number(count) })}</p>
      </div>
      <dl className="min-w-56 flex-1 space-y-1.5 text-sm">
        {rows.map(({ stars, number }) => (
          <div className="grid grid-cols-[4rem_1fr_2.5rem] items-center gap-3" key={stars}>
            <dt className="text-muted">{t('stars', { count: stars })}</dt>
            <dd aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-sunken">
              <span className="block h-full rounded-full bg-star" style={{ width: `${(number / count) * 100}%` }} />
            </dd>
            <dd className="text-end tabular-nums">{format.number(number)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
