import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { pageContext } from '@/app/page-context';
import { ModerationNav } from '@/components/moderation/moderation-nav';
import { DisputeList } from '@/components/payments/disputes/dispute-list';
import { moderationPaths } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { Pagination } from '@/components/ui/controls/pagination';
import { ConsoleSection } from '@/components/ui/display/card';
import { listDisputes } from '@/lib/payments';
import { disputeFilterSchema } from '@/lib/payments/schema-disputes';
import { forModerators, metadataForModerators } from '../../for-moderators';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.disputes');
  return metadataForModerators({ title: t('title') });
}

export default async function ModeratedDisputesPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('moderation.pages.disputes');
  const { filter, here, hrefOf } = readListQuery(moderationPaths.disputes, disputeFilterSchema, await searchParams);
  const ctx = await pageContext();
  const waiting = listDisputes({ ctx, input: { role: 'moderator', state: 'review', limit: 100 } });
  const found = waiting.then(async ({ items }) => ({
    waiting: items,
    all: await listDisputes({ ctx, input: { ...filter, role: 'moderator' } }),
  }));
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      <ModerationNav />
      {
        await forModerators(found, {
          here,
          show: ({ waiting: due, all }) => (
            <>
              <ConsoleSection id="waiting" title={t('waiting')}>
                <DisputeList disputes={due} />
              </ConsoleSection>
              <ConsoleSection id="all" title={t('all')}>
                <DisputeList disputes={all.items} />
                <Pagination
                  firstHref={filter.cursor ? hrefOf(null) : null}
                  label={t('pagination')}
                  nextHref={all.nextCursor ? hrefOf(all.nextCursor) : null}
                />
              </ConsoleSection>
            </>
          ),
        })
      }
    </div>
  );
}
