import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ConsoleSection } from '@/components/console/console-section';
import { LimitForm } from '@/components/payments/limit-form';
import { NewPasskey } from '@/components/payments/new-passkey';
import { PasskeyList } from '@/components/payments/passkey-list';
import { TopUpForm } from '@/components/payments/top-up-form';
import { WalletPanel } from '@/components/payments/wallet-panel';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { Alert } from '@/components/ui/alert';
import { listPasskeys } from '@/lib/identity';
import { getPaymentSettings, getWallet } from '@/lib/payments';

export const metadata: Metadata = { title: 'Payments' };

interface PageProps {
  searchParams: Promise<{ topup?: string | string[] }>;
}

export default async function PaymentsPage({ searchParams }: PageProps): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.payments);
  const { topup } = await searchParams;
  const [wallet, passkeys, settings] = await Promise.all([
    getWallet({ ctx }),
    listPasskeys({ ctx }),
    getPaymentSettings({ ctx }),
  ]);
  return (
    <>
      <PageHeader
        lead="Your wallet, the passkeys that approve payments, and the amount from which one is needed."
        title="Payments"
      />
      {topup ? (
        <Alert className="mb-6">
          Back from the payment provider. A payment that went through is in your wallet within a minute.
        </Alert>
      ) : null}
      {wallet.test ? (
        <Alert className="mb-6" title="Test credits">
          This Parley takes no real money. What you add here is for trying out, and buys at every agent that takes
          payments.
        </Alert>
      ) : null}
      <ConsoleSection id="wallet" title="Wallet">
        <WalletPanel wallet={wallet} />
        <h3 className="mt-8 mb-4 font-semibold">{wallet.test ? 'Add test credits' : 'Top up'}</h3>
        <TopUpForm test={wallet.test} />
      </ConsoleSection>
      <ConsoleSection
        id="passkeys"
        lead="A passkey stays on your device. It signs the amount and the payee, so nobody else can approve in your name."
        title="Passkeys"
      >
        <PasskeyList passkeys={passkeys} />
        <h3 className="mt-8 mb-4 font-semibold">New passkey</h3>
        <NewPasskey />
      </ConsoleSection>
      <ConsoleSection id="limit" title="Limit">
        <LimitForm hasPasskey={passkeys.length > 0} settings={settings} />
      </ConsoleSection>
    </>
  );
}
