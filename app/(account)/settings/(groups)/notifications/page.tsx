import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { NotificationForm } from '@/components/account/settings/notification-form';
import { settingsPath } from '@/components/account/settings/settings-groups';
import { SettingsPage, SettingsSection } from '@/components/account/settings/settings-page';
import { WebPushSettings } from '@/components/account/settings/web-push-settings';
import { describeQuery } from '@/components/market/saved/describe-query';
import { SavedSearchList } from '@/components/market/saved/saved-search-list';
import { Alert } from '@/components/ui/display/alert';
import { listSavedSearches } from '@/lib/discovery';
import { listNotificationPreferences } from '@/lib/identity';
import { getWebPush } from '@/lib/notifications';
import { settingsMetadata, TextWithLink } from '../../settings-frame';

export function generateMetadata(): Promise<Metadata> {
  return settingsMetadata('notifications');
}

export default async function NotificationSettings(): Promise<ReactNode> {
  const t = await getTranslations('account.pages.notifications');
  const tDevices = await getTranslations('account.webPush');
  const { ctx, userId, email } = await signedIn(settingsPath('notifications'));
  const [preferences, devices, searches] = await Promise.all([
    listNotificationPreferences({ ctx }),
    getWebPush({ ctx }),
    listSavedSearches({ ctx }),
  ]);
  const mailsSearches = preferences.some(({ kind, wanted }) => kind === 'searches' && wanted);
  return (
    <SettingsPage group="notifications">
      <SettingsSection
        id="emails"
        lead={t.rich('lead', {
          email,
          address: (chunks) => <span className="break-words text-ink">{chunks}</span>,
        })}
      >
        <NotificationForm choices={preferences} />
      </SettingsSection>
      <SettingsSection id="devices" lead={tDevices('lead')}>
        <WebPushSettings userId={userId} view={devices} />
      </SettingsSection>
      <SearchSection isMailed={mailsSearches} searches={searches} />
    </SettingsPage>
  );
}

interface SearchSectionProps {
  searches: Awaited<ReturnType<typeof listSavedSearches>>;
  /** True if the user wants emails about saved searches. */
  isMailed: boolean;
}

async function SearchSection({ searches, isMailed }: SearchSectionProps): Promise<ReactNode> {
  const t = await getTranslations('market.pages.savedSearches');
  const words = await getTranslations('market');
  return (
    <SettingsSection id="searches" lead={t('lead')}>
      {isMailed || searches.every(({ mail }) => !mail) ? null : (
        <Alert className="mb-5" tone="warn">
          <TextWithLink href="#emails" text={(link) => t.rich('mailsOff', { link })} />
        </Alert>
      )}
      <SavedSearchList
        searches={searches.map((search) => ({ ...search, description: describeQuery(search.query, words) }))}
      />
    </SettingsSection>
  );
}
