import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { DisputeList } from '@/components/payments/disputes/dispute-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { listDisputes } from '@/lib/payments';
import { disputeFilterSchema } from '@/lib/payments/schema-disputes';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages.disputes');
  return { title: t('title') };
}

export default async function SaleDisputesPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages.disputes');
  const { filter, here, hrefOf } = readListQuery(routes.saleDisputes, disputeFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const { items, nextCursor } = await listDisputes({ ctx, input: { ...filter, role: 'seller' } });
  return (
    <>
      <PageHeader
        actions={<LinkButton href={routes.sellingDocs}>{t('docs')}</LinkButton>}
        crumbs={[{ href: routes.income, text: t('income') }]}
        lead={t('lead')}
        title={t('title')}
      />
      <div className="space-y-6">
        <DisputeList disputes={items} />
        <Pagination
          firstHref={filter.cursor ? hrefOf(null) : null}
          label={t('pagination')}
          nextHref={nextCursor ? hrefOf(nextCursor) : null}
        />
      </div>
    </>
  );
}
