import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { PaperList } from '@/components/payments/papers/paper-list';
import { paymentSettings, routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { listPapers } from '@/lib/payments';
import { paperFilterSchema } from '@/lib/payments/schema-income';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.papers');
  return { title: t('title') };
}

export default async function BuyerPapersPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.papers');
  const { filter, here, hrefOf } = readListQuery(routes.orderPapers, paperFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const { items, nextCursor } = await listPapers({ ctx, input: { ...filter, as: 'buyer' } });
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader
        actions={<LinkButton href={paymentSettings('billing')}>{t('details')}</LinkButton>}
        crumbs={[{ href: routes.orders, text: t('orders') }]}
        lead={t('lead')}
        title={t('title')}
      />
      <div className="space-y-6">
        <PaperList papers={items} />
        <Pagination
          firstHref={filter.cursor ? hrefOf(null) : null}
          label={t('pagination')}
          nextHref={nextCursor ? hrefOf(nextCursor) : null}
        />
      </div>
    </div>
  );
}
