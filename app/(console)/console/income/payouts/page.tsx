import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { PayoutList } from '@/components/console/payouts/payout-list';
import { PayoutOnboarding } from '@/components/console/payouts/payout-onboarding';
import { PayoutScheduleForm } from '@/components/console/payouts/payout-schedule-form';
import { LeavingButton, PayoutSummary } from '@/components/console/payouts/payout-summary';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { Pagination } from '@/components/ui/controls/pagination';
import { Alert } from '@/components/ui/display/alert';
import { ConsoleSection } from '@/components/ui/display/card';
import { getPayoutAccount, listPayouts } from '@/lib/payments';
import { payoutFilterSchema } from '@/lib/payments/schema-payouts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('payouts.title') };
}

export default async function PayoutsPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const [t, tSchedule, tList, tOnboarding, tSummary] = await Promise.all([
    getTranslations('console.pages'),
    getTranslations('console.payoutSchedule'),
    getTranslations('console.payoutList'),
    getTranslations('console.payoutOnboarding'),
    getTranslations('console.payoutSummary'),
  ]);
  const asked = await searchParams;
  const { filter, here, hrefOf } = readListQuery(routes.payouts, payoutFilterSchema, asked);
  const { ctx } = await signedIn(here);
  const [account, { items, nextCursor }] = await Promise.all([
    getPayoutAccount({ ctx }),
    listPayouts({ ctx, input: filter }),
  ]);
  const { onboarding } = asked;
  return (
    <>
      <PageHeader lead={t('payouts.lead')} title={t('payouts.title')} />
      {onboarding === 'done' && account.onboarding !== 'ready' ? (
        <Alert className="mb-6" live="polite">
          {t('payouts.onboardingDone')}
        </Alert>
      ) : null}
      {onboarding === 'again' ? (
        <Alert className="mb-6" live="polite" tone="warn">
          {t('payouts.onboardingAgain')}
        </Alert>
      ) : null}
      <PayoutSummary account={account} />
      <ConsoleSection id="setup" title={tOnboarding('title')}>
        <PayoutOnboarding account={account} />
      </ConsoleSection>
      <ConsoleSection id="schedule" title={tSchedule('title')}>
        <PayoutScheduleForm key={JSON.stringify(account.schedule)} schedule={account.schedule} />
      </ConsoleSection>
      <ConsoleSection id="payouts" title={tList('title')}>
        <div className="space-y-6">
          <PayoutList payouts={items} />
          <Pagination
            firstHref={filter.cursor ? hrefOf(null) : null}
            label={t('payouts.pagination')}
            nextHref={nextCursor ? hrefOf(nextCursor) : null}
          />
        </div>
      </ConsoleSection>
      <ConsoleSection id="stop" title={tSummary('stop')}>
        <LeavingButton leaving={account.leaving} />
      </ConsoleSection>
    </>
  );
}
