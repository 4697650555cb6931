import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { NewPasskey, PasskeyList } from '@/components/payments/wallet/passkeys';
import { Recovery } from '@/components/payments/wallet/recovery';
import { LimitForm, TopUpForm } from '@/components/payments/wallet/wallet-forms';
import { WalletPanel } from '@/components/payments/wallet/wallet-panel';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { Alert } from '@/components/ui/display/alert';
import { ConsoleSection } from '@/components/ui/display/card';
import { findRecovery, listPasskeys } from '@/lib/identity';
import { getPaymentSettings, getWallet } from '@/lib/payments';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('payments.pages.payments');
  return { title: t('title') };
}

interface PageProps {
  searchParams: Promise<{ topup?: string | string[] }>;
}

export default async function PaymentsPage({ searchParams }: PageProps): Promise<ReactNode> {
  const t = await getTranslations('payments.pages.payments');
  const { ctx, userId } = await signedIn(routes.payments);
  const { topup } = await searchParams;
  const [wallet, passkeys, settings, recovery] = await Promise.all([
    getWallet({ ctx }),
    listPasskeys({ ctx }),
    getPaymentSettings({ ctx }),
    findRecovery(userId),
  ]);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      {topup ? <Alert className="mb-6">{t('backFromProvider')}</Alert> : null}
      {wallet.test ? (
        <Alert className="mb-6" title={t('testTitle')}>
          {t('testHint')}
        </Alert>
      ) : null}
      <ConsoleSection id="wallet" title={t('wallet')}>
        <WalletPanel wallet={wallet} />
        <h3 className="mt-8 mb-4 font-semibold">{t(wallet.test ? 'addTestCredits' : 'topUp')}</h3>
        <TopUpForm test={wallet.test} />
      </ConsoleSection>
      <ConsoleSection id="passkeys" lead={t('passkeysLead')} title={t('passkeys')}>
        <PasskeyList passkeys={passkeys} />
        <h3 className="mt-8 mb-4 font-semibold">{t('newPasskey')}</h3>
        <NewPasskey hasPasskey={passkeys.length > 0} />
        {passkeys.length > 0 ? <Recovery dueAt={recovery?.dueAt ?? null} /> : null}
      </ConsoleSection>
      <ConsoleSection id="limit" title={t('limit')}>
        <LimitForm hasPasskey={passkeys.length > 0} settings={settings} />
      </ConsoleSection>
    </>
  );
}
