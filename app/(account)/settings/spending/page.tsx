import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AlertList, SpendingLimits } from '@/components/payments/spending/spending-limits';
import { AutomaticEmails, ZoneChoice } from '@/components/payments/spending/spending-settings';
import { SpendingSums } from '@/components/payments/spending/spending-sums';
import { StandingList } from '@/components/payments/standing/standing-list';
import { spendingPath } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { ConsoleSection } from '@/components/ui/display/card';
import { listSpendingAlerts, listSpendingLimits, listStandingApprovals, sumSpending } from '@/lib/payments';
import { sumsFilterSchema } from '@/lib/payments/schema-spending';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.spending');
  return { title: t('title') };
}

interface PageProps {
  searchParams: Promise<{ currency?: string | string[]; month?: string | string[] }>;
}

export default async function SpendingPage({ searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.spending');
  const tStanding = await getTranslations('payments.standingList');
  const { ctx } = await signedIn(spendingPath);
  const { currency: wanted, month } = await searchParams;
  const { data: input = {} } = sumsFilterSchema.safeParse({ month });
  const [spending, standing, alerts, sums] = await Promise.all([
    listSpendingLimits({ ctx }),
    listStandingApprovals({ ctx }),
    listSpendingAlerts({ ctx }),
    sumSpending({ ctx, input }),
  ]);
  const currencies = [...new Set(spending.limits.map(({ currency }) => currency))];
  const currency = currencies.find((one) => one === wanted) ?? currencies[0] ?? 'EUR';
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      <nav aria-label={t('currency')} className="mb-4 flex flex-wrap gap-2">
        {currencies.map((one) => (
          <Link
            aria-current={one === currency ? 'page' : undefined}
            className="inline-flex min-h-10 items-center rounded-md border border-line px-3 text-sm font-medium text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:text-ink touch:min-h-11"
            href={`${spendingPath}?currency=${one}`}
            key={one}
            prefetch={false}
            scroll={false}
          >
            {one}
          </Link>
        ))}
      </nav>
      <ZoneChoice timeZone={spending.timeZone} />
      <ConsoleSection id="automatic" lead={tStanding('lead')} title={tStanding('title')}>
        <StandingList standing={standing} timeZone={spending.timeZone ?? 'UTC'} />
        {standing.items.length > 0 ? <AutomaticEmails emails={standing.emails} /> : null}
      </ConsoleSection>
      <AlertList alerts={alerts} />
      <SpendingLimits currency={currency} spending={spending} />
      <SpendingSums currency={currency} isCurrent={new Date(sums.to) > ctx.now} sums={sums} />
    </>
  );
}
