import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { SaleList, SaleSums } from '@/components/console/sales/sale-list';
import { ExportLinks, FilterForm } from '@/components/forms/filter-form';
import { ListSearch } from '@/components/forms/paged-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { EmptyState } from '@/components/ui/display/card';
import { listSaleAgents, listSales } from '@/lib/payments';
import { salesFilterSchema } from '@/lib/payments/schema';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('sales.title') };
}

export default async function SalesPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { filter, query, here, hrefOf } = readListQuery(routes.sales, salesFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const [{ items, sums, nextCursor }, agents] = await Promise.all([
    listSales({ ctx, input: filter }),
    listSaleAgents({ ctx }),
  ]);
  const isFiltered = query.size > 0;
  return (
    <>
      <PageHeader
        actions={
          <>
            <LinkButton href={routes.income} size="sm">
              {t('sales.income')}
            </LinkButton>
            <LinkButton href={routes.salePapers} size="sm">
              {t('papers.title')}
            </LinkButton>
            {items.length > 0 ? <ExportLinks api="/api/sales" formats={['csv']} query={query} /> : null}
          </>
        }
        lead={t('sales.lead')}
        title={t('sales.title')}
      />
      <div className="space-y-6">
        {items.length > 0 || isFiltered ? (
          <>
            <ListSearch
              keep={{ agent: filter.agent, from: filter.from, to: filter.to }}
              label={t('sales.search')}
              path={routes.sales}
              placeholder={t('sales.searchHint')}
              value={filter.q}
            />
            <FilterForm
              agents={agents}
              chosen={{ agent: filter.agent, from: filter.from, to: filter.to }}
              path={routes.sales}
            />
          </>
        ) : null}
        {items.length > 0 ? (
          <>
            <SaleSums sums={sums} />
            <SaleList sales={items} />
          </>
        ) : (
          <EmptyState
            action={isFiltered ? <LinkButton href={routes.sales}>{t('sales.showAll')}</LinkButton> : null}
            title={t(isFiltered ? 'sales.noMatch' : 'sales.empty')}
          >
            {t(isFiltered ? 'sales.noMatchHint' : 'sales.emptyHint')}
          </EmptyState>
        )}
        <Pagination
          firstHref={filter.cursor ? hrefOf(null) : null}
          label={t('sales.pagination')}
          nextHref={nextCursor ? hrefOf(nextCursor) : null}
        />
      </div>
    </>
  );
}
