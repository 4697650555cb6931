import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { EarningList } from '@/components/console/income/earning-list';
import { BalanceSection } from '@/components/console/income/income-balances';
import { ExportLinks, FilterForm } from '@/components/forms/filter-form';
import { FeeNote } from '@/components/payments/offers/fee-text';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { LinkButton } from '@/components/ui/controls/button';
import { Pagination } from '@/components/ui/controls/pagination';
import { ConsoleSection, EmptyState } from '@/components/ui/display/card';
import { getIncome, listEarningAgents, listEarnings, listFees } from '@/lib/payments';
import { earningFilterSchema } from '@/lib/payments/schema-income';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('income.title') };
}

export default async function IncomePage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { filter, query, here, hrefOf } = readListQuery(routes.income, earningFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const [{ balances }, { items, nextCursor }, agents, fees] = await Promise.all([
    getIncome({ ctx }),
    listEarnings({ ctx, input: filter }),
    listEarningAgents({ ctx }),
    listFees({ ctx }),
  ]);
  const isFiltered = query.size > 0;
  const hasSales = items.length > 0 || isFiltered;
  return (
    <>
      <PageHeader
        actions={
          <>
            <LinkButton href={routes.payouts} tone="primary">
              {t('payouts.title')}
            </LinkButton>
            <LinkButton href={routes.salePapers}>{t('papers.title')}</LinkButton>
            <LinkButton href={routes.saleDisputes}>{t('disputes.title')}</LinkButton>
            <LinkButton href={routes.sellingDocs}>{t('income.docs')}</LinkButton>
          </>
        }
        lead={t('income.lead')}
        title={t('income.title')}
      />
      {balances.length > 0 || hasSales ? null : (
        <EmptyState
          action={
            <LinkButton href={routes.ownAgents} tone="primary">
              {t('income.ownAgents')}
            </LinkButton>
          }
          title={t('income.empty')}
        >
          {t('income.emptyHint')}
        </EmptyState>
      )}
      <div className="space-y-10">
        {balances.map((balance) => (
          <BalanceSection balance={balance} key={`${balance.currency} ${balance.test}`} now={ctx.now} />
        ))}
      </div>
      {hasSales ? (
        <ConsoleSection id="sales" lead={t('income.salesLead')} title={t('income.sales')}>
          <div className="space-y-6">
            <div className="flex flex-wrap items-end justify-between gap-4">
              <FilterForm
                agents={agents}
                chosen={{ agent: filter.agent, from: filter.from, to: filter.to }}
                path={routes.income}
              />
              <ExportLinks api="/api/earnings" formats={['csv']} query={query} />
            </div>
            {items.length > 0 ? (
              <EarningList earnings={items} />
            ) : (
              <EmptyState
                action={<LinkButton href={routes.income}>{t('sales.showAll')}</LinkButton>}
                level={3}
                title={t('sales.noMatch')}
              >
                {t('sales.noMatchHint')}
              </EmptyState>
            )}
            <Pagination
              firstHref={filter.cursor ? hrefOf(null) : null}
              label={t('sales.pagination')}
              nextHref={nextCursor ? hrefOf(nextCursor) : null}
            />
          </div>
        </ConsoleSection>
      ) : null}
      <ConsoleSection id="fee" title={t('income.fee')}>
        <FeeNote fees={fees} />
      </ConsoleSection>
    </>
  );
}
