import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { BlockClientForm, BlockedClientList } from '@/components/moderation/blocked-client-forms';
import { ModerationNav } from '@/components/moderation/moderation-nav';
import { moderationPaths } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { listBlockedClients } from '@/lib/tokens';
import { forModerators, metadataForModerators } from '../../for-moderators';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('moderation.pages.blockedClients');
  return metadataForModerators({ title: t('title') });
}

export default async function BlockedClientsPage(): Promise<ReactNode> {
  const found = listBlockedClients({ ctx: await pageContext() });
  const t = await getTranslations('moderation.pages.blockedClients');
  const block = await getTranslations('moderation.blockedClients');
  return (
    <div className="page-x py-8 md:py-12">
      <PageHeader lead={t('lead')} title={t('title')} />
      <ModerationNav />
      {
        await forModerators(found, {
          here: moderationPaths.blockedClients,
          show: (clients) => (
            <>
              <BlockedClientList clients={clients} />
              <section aria-labelledby="block" className="mt-10">
                <h2 className="mb-4 text-xl font-semibold" id="block">
                  {block('block')}
                </h2>
                <BlockClientForm />
              </section>
            </>
          ),
        })
      }
    </div>
  );
}
