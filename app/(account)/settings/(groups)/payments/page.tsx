import type { Metadata } from 'next';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { settingsPath } from '@/components/account/settings/settings-groups';
import { SettingsPage, SettingsSection } from '@/components/account/settings/settings-page';
import { AwaitedResults } from '@/components/payments/disputes/awaited-results';
import { ChargeList } from '@/components/payments/disputes/charge-list';
import { BillingForm } from '@/components/payments/papers/billing-form';
import { PriceApprovals } from '@/components/payments/prices/price-approvals';
import { AlertList, SpendingLimits } from '@/components/payments/spending/spending-limits';
import { AutomaticEmails, ZoneChoice } from '@/components/payments/spending/spending-settings';
import { SpendingSums } from '@/components/payments/spending/spending-sums';
import { StandingList, type StandingListProps } from '@/components/payments/standing/standing-list';
import { NewPasskey, PasskeyList } from '@/components/payments/wallet/passkeys';
import { Recovery } from '@/components/payments/wallet/recovery';
import { LimitForm, TopUpForm } from '@/components/payments/wallet/wallet-forms';
import { WalletPanel } from '@/components/payments/wallet/wallet-panel';
import { paymentSettings, routes } from '@/components/routes';
import { withQuery } from '@/components/settings-routes';
import { Alert } from '@/components/ui/display/alert';
import { findRecovery, listPasskeys } from '@/lib/identity';
import {
  getBilling,
  getPaymentSettings,
  getWallet,
  listAwaitedResults,
  listPriceApprovals,
  listSpendingAlerts,
  listSpendingLimits,
  listStandingApprovals,
  listTaskCharges,
  sumSpending,
} from '@/lib/payments';
import { type SpendingView, sumsFilterSchema } from '@/lib/payments/schema-spending';
import { settingsMetadata } from '../../settings-frame';

export function generateMetadata(): Promise<Metadata> {
  return settingsMetadata('payments');
}

/** The latest charges, and the results whose time ends next, which the page shows. */
const SHOWN_CHARGES = 20;

interface PageProps {
  searchParams: Promise<Record<'topup' | 'currency' | 'month', string | string[] | undefined>>;
}

export default async function PaymentSettings({ searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.payments');
  const { ctx, userId } = await signedIn(settingsPath('payments'));
  const { topup, currency: wanted, month } = await searchParams;
  const { data: input = {} } = sumsFilterSchema.safeParse({ month });
  const [wallet, passkeys, settings, recovery, spending, standing, prices, results, charges, billing, alerts, sums] =
    await Promise.all([
      getWallet({ ctx }),
      listPasskeys({ ctx }),
      getPaymentSettings({ ctx }),
      findRecovery(userId),
      listSpendingLimits({ ctx }),
      listStandingApprovals({ ctx }),
      listPriceApprovals({ ctx }),
      listAwaitedResults({ ctx, input: { limit: SHOWN_CHARGES } }),
      listTaskCharges({ ctx, input: { limit: SHOWN_CHARGES } }),
      getBilling({ ctx }),
      listSpendingAlerts({ ctx }),
      sumSpending({ ctx, input }),
    ]);
  const currencies = [...new Set(spending.limits.map(({ currency }) => currency))];
  const currency = currencies.find((one) => one === wanted) ?? currencies[0] ?? 'EUR';
  const hasPasskey = passkeys.length > 0;
  return (
    <SettingsPage group="payments">
      {topup ? <Alert className="mb-6">{t('backFromProvider')}</Alert> : null}
      <AlertList alerts={alerts} />
      <WalletSection wallet={wallet} />
      <SettingsSection id="passkeys" lead={t('passkeysLead')}>
        <PasskeyList passkeys={passkeys} />
        <h3 className="mt-8 mb-4 font-semibold">{t('newPasskey')}</h3>
        <NewPasskey hasPasskey={hasPasskey} />
        {hasPasskey ? <Recovery dueAt={recovery?.dueAt ?? null} /> : null}
      </SettingsSection>
      <SettingsSection id="passkey-limit">
        <LimitForm hasPasskey={hasPasskey} settings={settings} />
      </SettingsSection>
      <LimitsSection currencies={currencies} currency={currency} spending={spending} />
      <AutomaticSection standing={standing} timeZone={spending.timeZone ?? 'UTC'} />
      <SettingsSection id="prices" lead={t('pricesLead')}>
        <PriceApprovals items={prices.items} />
      </SettingsSection>
      <SettingsSection id="results" lead={t('resultsLead')}>
        <AwaitedResults items={results.items} />
      </SettingsSection>
      <SettingsSection id="charges" lead={t('chargesLead')}>
        <ChargeList charges={charges.items} />
        <p className="mt-4 flex flex-wrap gap-4 text-sm">
          <Link className="text-link" href={routes.disputes} prefetch={false}>
            {t('disputes')}
          </Link>
          <Link className="text-link" href={routes.orders} prefetch={false}>
            {t('orders')}
          </Link>
        </p>
      </SettingsSection>
      <SettingsSection
        id="billing"
        lead={t.rich('billingLead', {
          invoices: (text) => (
            <Link className="text-link" href={routes.orderPapers}>
              {text}
            </Link>
          ),
        })}
      >
        <BillingForm details={billing.buyer} key={JSON.stringify(billing.buyer)} party="buyer" />
      </SettingsSection>
      <SpendingSums currency={currency} isCurrent={new Date(sums.to) > ctx.now} sums={sums} />
    </SettingsPage>
  );
}

function WalletSection({ wallet }: { wallet: Awaited<ReturnType<typeof getWallet>> }): ReactNode {
  const t = useTranslations('payments.pages.payments');
  return (
    <SettingsSection id="wallet">
      {wallet.test ? (
        <Alert className="mb-6" title={t('testTitle')}>
          {t('testHint')}
        </Alert>
      ) : null}
      <WalletPanel wallet={wallet} />
      <h3 className="mt-8 mb-4 font-semibold">{t(wallet.test ? 'addTestCredits' : 'topUp')}</h3>
      <TopUpForm test={wallet.test} />
    </SettingsSection>
  );
}

interface LimitsSectionProps {
  spending: SpendingView;
  currencies: string[];
  currency: string;
}

function LimitsSection({ spending, currencies, currency }: LimitsSectionProps): ReactNode {
  const t = useTranslations('payments.pages.spending');
  return (
    <SettingsSection id="limits" lead={t('lead')}>
      <nav aria-label={t('currency')} className="mb-4 flex flex-wrap gap-2">
        {currencies.map((one) => (
          <Link
            aria-current={one === currency ? 'page' : undefined}
            className="inline-flex min-h-10 items-center rounded-md border border-line px-3 text-sm font-medium text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:text-ink touch:min-h-11"
            href={withQuery(paymentSettings('limits'), { currency: one })}
            key={one}
            prefetch={false}
            scroll={false}
          >
            {one}
          </Link>
        ))}
      </nav>
      <ZoneChoice timeZone={spending.timeZone} />
      <SpendingLimits currency={currency} spending={spending} />
    </SettingsSection>
  );
}

function AutomaticSection({ standing, timeZone }: StandingListProps): ReactNode {
  const t = useTranslations('payments.standingList');
  return (
    <SettingsSection id="automatic" lead={t('lead')}>
      <StandingList standing={standing} timeZone={timeZone} />
      {standing.items.length > 0 ? <AutomaticEmails emails={standing.emails} /> : null}
    </SettingsSection>
  );
}
