import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ConsoleSection } from '@/components/console/console-section';
import { FailingPushes } from '@/components/console/failing-pushes';
import { RecoverPushes } from '@/components/console/recover-pushes';
import { UndeliveredList } from '@/components/console/undelivered-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { getPushOverview } from '@/lib/console';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('pushes.title') };
}

export default async function PushesPage(): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { ctx } = await signedIn(routes.pushes);
  const { failing, undelivered } = await getPushOverview({ ctx });
  return (
    <>
      <PageHeader lead={t('pushes.lead')} title={t('pushes.title')} />
      {failing.length > 0 ? <FailingPushes receivers={failing} /> : null}
      <ConsoleSection id="undelivered" title={t('pushes.undelivered')}>
        {undelivered.length > 0 ? <RecoverPushes /> : null}
        <UndeliveredList pushes={undelivered} />
      </ConsoleSection>
    </>
  );
}
