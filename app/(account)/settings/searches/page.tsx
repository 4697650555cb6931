import type { Metadata } from 'next';
import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { describeQuery } from '@/components/market/saved/describe-query';
import { SavedSearchList } from '@/components/market/saved/saved-search-list';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { Alert } from '@/components/ui/display/alert';
import { listSavedSearches } from '@/lib/discovery';
import { listNotificationPreferences } from '@/lib/identity';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('market.pages.savedSearches');
  return { title: t('title') };
}

export default async function SavedSearchesPage(): Promise<ReactNode> {
  const t = await getTranslations('market.pages.savedSearches');
  const words = await getTranslations('market');
  const { ctx } = await signedIn(routes.savedSearches);
  const [searches, preferences] = await Promise.all([listSavedSearches({ ctx }), listNotificationPreferences({ ctx })]);
  const isMailed = preferences.some(({ kind, wanted }) => kind === 'searches' && wanted);
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      {isMailed || searches.every(({ mail }) => !mail) ? null : (
        <Alert className="mb-5" tone="warn">
          {t.rich('mailsOff', {
            link: (chunks) => (
              <Link className="text-link" href={routes.notifications}>
                {chunks}
              </Link>
            ),
          })}
        </Alert>
      )}
      <SavedSearchList
        searches={searches.map((search) => ({ ...search, description: describeQuery(search.query, words) }))}
      />
    </>
  );
}
