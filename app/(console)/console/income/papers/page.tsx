import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { StatementList } from '@/components/console/income/statement-list';
import { BillingForm } from '@/components/payments/papers/billing-form';
import { PaperList } from '@/components/payments/papers/paper-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { Pagination } from '@/components/ui/controls/pagination';
import { ConsoleSection } from '@/components/ui/display/card';
import { getBilling, listPapers, listStatements } from '@/lib/payments';
import { paperFilterSchema } from '@/lib/payments/schema-income';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('papers.title') };
}

export default async function SellerPapersPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { filter, here, hrefOf } = readListQuery(routes.salePapers, paperFilterSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const [statements, billing, { items, nextCursor }] = await Promise.all([
    listStatements({ ctx }),
    getBilling({ ctx }),
    listPapers({ ctx, input: { ...filter, as: 'seller' } }),
  ]);
  return (
    <>
      <PageHeader lead={t('papers.lead')} title={t('papers.title')} />
      <ConsoleSection id="statements" lead={t('papers.statementsLead')} title={t('papers.statements')}>
        <StatementList statements={statements} />
      </ConsoleSection>
      <ConsoleSection id="tax" lead={t(`papers.taxLead.${billing.liable}`)} title={t('papers.tax')}>
        <BillingForm details={billing.seller} key={JSON.stringify(billing.seller)} party="seller" />
      </ConsoleSection>
      <ConsoleSection id="invoices" lead={t('papers.invoicesLead')} title={t('papers.invoices')}>
        <div className="space-y-6">
          <PaperList papers={items} />
          <Pagination
            firstHref={filter.cursor ? hrefOf(null) : null}
            label={t('papers.pagination')}
            nextHref={nextCursor ? hrefOf(nextCursor) : null}
          />
        </div>
      </ConsoleSection>
    </>
  );
}
