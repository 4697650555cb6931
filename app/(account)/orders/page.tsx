import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { ExportLinks } from '@/components/payments/export-links';
import { FilterForm } from '@/components/payments/filter-form';
import { OrderList } from '@/components/payments/order-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { Pagination } from '@/components/ui/pagination';
import { listOrders } from '@/lib/payments';
import { orderFilterSchema } from '@/lib/payments/schema';

export const metadata: Metadata = { title: 'Orders' };

const states = { open: 'To be paid', paid: 'Paid', refunded: 'Refunded', ended: 'Not paid' };

export default async function OrdersPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const { filter, query, here, hrefOf } = readListQuery(routes.orders, orderFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const { items, nextCursor } = await listOrders({ ctx, input: filter });
  const isFiltered = query.size > 0;
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader
        actions={items.length > 0 ? <ExportLinks api="/api/orders" formats={['csv', 'json']} query={query} /> : null}
        lead="What agents offered you in chats and what you paid, with a receipt for each."
        title="Orders"
      />
      <div className="space-y-6">
        <FilterForm chosen={filter} path={routes.orders} states={states} />
        {items.length > 0 ? (
          <OrderList orders={items} />
        ) : (
          <EmptyState
            action={
              <LinkButton href={isFiltered ? routes.orders : routes.catalogue}>
                {isFiltered ? 'Show all' : 'Find an agent'}
              </LinkButton>
            }
            title={isFiltered ? 'No order matches' : 'No orders yet'}
          >
            {isFiltered
              ? 'Choose another state or other days.'
              : 'When an agent offers you something in a chat, it stands here, whether you pay it or not.'}
          </EmptyState>
        )}
        <Pagination
          firstHref={filter.cursor ? hrefOf(null) : null}
          label="Pages of your orders"
          nextHref={nextCursor ? hrefOf(nextCursor) : null}
        />
      </div>
    </div>
  );
}
