import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { BlockedClientView } from '@/lib/tokens/schema-oauth-clients';
import { BlockClientForm, BlockedClientList } from './blocked-client-forms';

/** The blocked OAuth clients, and a form to block another. */
export function BlockedClients({ clients }: { clients: BlockedClientView[] }): ReactNode {
  const t = useTranslations('moderation.blockedClients');
  return (
    <>
      <BlockedClientList clients={clients} />
      <section aria-labelledby="block" className="mt-10">
        <h2 className="mb-4 text-xl font-semibold" id="block">
          {t('block')}
        </h2>
        <BlockClientForm />
      </section>
    </>
  );
}
