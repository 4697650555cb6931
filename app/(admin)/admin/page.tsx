import type { Metadata } from 'next';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { readListQuery } from '@/app/list-query';
import { pageContext } from '@/app/page-context';
import { CaseQueue } from '@/components/moderation/case-queue';
import { LookAlikeList } from '@/components/moderation/look-alike-list';
import { CaseFilter, ModerationNav, queuePath } from '@/components/moderation/moderation-nav';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { EmptyState } from '@/components/ui/display/card';
import { listLookalikes } from '@/lib/catalog';
import { listCases } from '@/lib/moderation';
import { caseStates, type Queue, type QueueQuery, queueQuerySchema } from '@/lib/moderation/schema';
import { forModerators, metadataForModerators } from '../for-moderators';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.queue');
  return metadataForModerators({ title: t('title') });
}

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ModerationPage({ searchParams }: Props): Promise<ReactNode> {
  const { filter } = readListQuery(routes.moderation, queueQuerySchema, await searchParams);
  const ctx = await pageContext();
  const found = listCases({ ctx, input: filter }).then(async (queue) => ({
    queue,
    lookAlikes: filter.state === 'open' && !isFiltered(filter) ? await listLookalikes() : [],
  }));
  const t = await getTranslations('moderation.pages.queue');
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      <ModerationNav />
      {
        await forModerators(found, {
          here: queuePath(filter),
          show: ({ queue, lookAlikes }) => (
            <>
              <CaseFilter chosen={filter} />
              <States counts={queue.counts} filter={filter} />
              <Cases filter={filter} queue={queue} />
              {lookAlikes.length > 0 ? <LookAlikeList items={lookAlikes} /> : null}
            </>
          ),
        })
      }
    </div>
  );
}

function isFiltered({ kind, reason, q }: QueueQuery): boolean {
  return kind !== undefined || reason !== undefined || q !== '';
}

function States({ filter, counts }: { filter: QueueQuery; counts: Queue['counts'] }): ReactNode {
  const t = useTranslations('moderation.pages.queue');
  const tWords = useTranslations('moderation.words');
  return (
    <nav aria-label={t('states')} className="mb-6 flex flex-wrap gap-1 text-sm">
      {caseStates.map((one) => (
        <Link
          aria-current={one === filter.state ? 'page' : undefined}
          className="inline-flex min-h-9 items-center gap-2 rounded-md px-3 text-muted hover:bg-sunken aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink touch:min-h-11"
          href={queuePath({ ...filter, state: one, page: 1 })}
          key={one}
          prefetch={false}
        >
          {tWords(`states.${one}`)}
          <span className="tabular-nums">{counts[one]}</span>
        </Link>
      ))}
    </nav>
  );
}

function Cases({ queue, filter }: { queue: Queue; filter: QueueQuery }): ReactNode {
  const t = useTranslations('moderation.pages.queue');
  const { state } = filter;
  if (queue.items.length === 0 && isFiltered(filter)) {
    return (
      <EmptyState action={<LinkButton href={queuePath({ state })}>{t('clear')}</LinkButton>} title={t('noMatch')}>
        {t('noMatchHint')}
      </EmptyState>
    );
  }
  if (queue.items.length === 0) {
    return <EmptyState title={t('empty')}>{t(state === 'open' ? 'noneOpen' : 'noneInState')}</EmptyState>;
  }
  const { page, pages } = queue;
  return (
    <div className="space-y-6">
      <CaseQueue cases={queue.items} key={queuePath(filter)} state={state} />
      <Pagination
        firstHref={page > 1 ? queuePath({ ...filter, page: 1 }) : null}
        label={t('pagination')}
        nextHref={page < pages ? queuePath({ ...filter, page: page + 1 }) : null}
      />
    </div>
  );
}
