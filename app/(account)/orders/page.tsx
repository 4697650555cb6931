import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { ExportLinks, FilterForm } from '@/components/forms/filter-form';
import { OrderList } from '@/components/payments/orders/order-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { EmptyState } from '@/components/ui/display/card';
import { listOrderAgents, listOrders } from '@/lib/payments';
import { orderFilterSchema } from '@/lib/payments/schema';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.orders');
  return { title: t('title') };
}

const states = ['open', 'paid', 'refunded', 'ended'] as const;

export default async function OrdersPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.orders');
  const { filter, query, here, hrefOf } = readListQuery(routes.orders, orderFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const [{ items, nextCursor }, agents] = await Promise.all([
    listOrders({ ctx, input: filter }),
    listOrderAgents({ ctx }),
  ]);
  const isFiltered = query.size > 0;
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader
        actions={
          <>
            <LinkButton href={routes.orderPapers} size="sm">
              {t('papers')}
            </LinkButton>
            {items.length > 0 ? <ExportLinks api="/api/orders" formats={['csv', 'json']} query={query} /> : null}
          </>
        }
        lead={t('lead')}
        title={t('title')}
      />
      <div className="space-y-6">
        {agents.length > 0 || isFiltered ? (
          <FilterForm
            agents={agents}
            chosen={filter}
            path={routes.orders}
            states={Object.fromEntries(states.map((state) => [state, t(`state.${state}`)]))}
          />
        ) : null}
        {items.length > 0 ? (
          <OrderList orders={items} />
        ) : (
          <EmptyState
            action={
              <LinkButton href={isFiltered ? routes.orders : routes.catalog}>
                {t(isFiltered ? 'showAll' : 'findAgent')}
              </LinkButton>
            }
            title={t(isFiltered ? 'noMatch' : 'empty')}
          >
            {t(isFiltered ? 'noMatchHint' : 'emptyHint')}
          </EmptyState>
        )}
        <Pagination
          firstHref={filter.cursor ? hrefOf(null) : null}
          label={t('pagination')}
          nextHref={nextCursor ? hrefOf(nextCursor) : null}
        />
      </div>
    </div>
  );
}
