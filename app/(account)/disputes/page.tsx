import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { DisputeList } from '@/components/payments/disputes/dispute-list';
import { paymentSettings, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { listDisputes } from '@/lib/payments';
import { disputeFilterSchema } from '@/lib/payments/schema-disputes';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.disputes');
  return { title: t('title') };
}

export default async function DisputesPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.disputes');
  const { filter, here, hrefOf } = readListQuery(routes.disputes, disputeFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const { items, nextCursor } = await listDisputes({ ctx, input: { ...filter, role: 'buyer' } });
  return (
    <div className="page-x space-y-6 py-8 md:py-12">
      <PageHeader
        actions={<LinkButton href={paymentSettings('charges')}>{t('charges')}</LinkButton>}
        lead={t('lead')}
        title={t('title')}
      />
      <DisputeList disputes={items} />
      <Pagination
        firstHref={filter.cursor ? hrefOf(null) : null}
        label={t('pagination')}
        nextHref={nextCursor ? hrefOf(nextCursor) : null}
      />
    </div>
  );
}
