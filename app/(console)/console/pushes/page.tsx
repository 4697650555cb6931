import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ConsoleSection } from '@/components/console/console-section';
import { FailingPushes } from '@/components/console/failing-pushes';
import { RecoverPushes } from '@/components/console/recover-pushes';
import { UndeliveredList } from '@/components/console/undelivered-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { getPushOverview } from '@/lib/console';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function PushesPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.pushes);
  const { failing, undelivered } = await getPushOverview({ ctx });
  return (
    <>
      <PageHeader
        lead="Updates of your tasks go to receivers that you named. What one does not take is tried for a day, then kept here; after three days of failures a receiver is switched off, and you get a mail."
        title="Webhooks"
      />
      {failing.length > 0 ? <FailingPushes receivers={failing} /> : null}
      <ConsoleSection id="undelivered" title="Undelivered pushes">
        {undelivered.length > 0 ? <RecoverPushes /> : null}
        <UndeliveredList pushes={undelivered} />
      </ConsoleSection>
    </>
  );
}
