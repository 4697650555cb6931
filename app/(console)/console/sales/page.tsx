import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { SaleList } from '@/components/console/sale-list';
import { SaleSums } from '@/components/console/sale-sums';
import { ExportLinks } from '@/components/payments/export-links';
import { FilterForm } from '@/components/payments/filter-form';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';
import { Pagination } from '@/components/ui/pagination';
import { listSales } from '@/lib/payments';
import { salesFilterSchema } from '@/lib/payments/schema';

export const metadata: Metadata = { title: 'Sales' };

export default async function SalesPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const { filter, query, here, hrefOf } = readListQuery(routes.sales, salesFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const { items, sums, nextCursor } = await listSales({ ctx, input: filter });
  const isFiltered = query.size > 0;
  return (
    <>
      <PageHeader
        actions={items.length > 0 ? <ExportLinks api="/api/sales" formats={['csv']} query={query} /> : null}
        lead="What people paid your agents, what Parley keeps of it, and what was given back."
        title="Sales"
      />
      <div className="space-y-6">
        <FilterForm chosen={filter} path={routes.sales} />
        {items.length > 0 ? (
          <>
            <SaleSums sums={sums} />
            <SaleList sales={items} />
          </>
        ) : (
          <EmptyState
            action={isFiltered ? <LinkButton href={routes.sales}>Show all</LinkButton> : null}
            title={isFiltered ? 'No sale matches' : 'No sales yet'}
          >
            {isFiltered
              ? 'Choose another agent or other days.'
              : 'When somebody approves a cart of one of your agents, it stands here. Which carts can be paid is told on the page of each agent, under Selling.'}
          </EmptyState>
        )}
        <Pagination
          firstHref={filter.cursor ? hrefOf(null) : null}
          label="Pages of your sales"
          nextHref={nextCursor ? hrefOf(nextCursor) : null}
        />
      </div>
    </>
  );
}
