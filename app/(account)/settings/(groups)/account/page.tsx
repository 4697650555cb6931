import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ProfileForm } from '@/components/account/settings/profile-form';
import { PublisherForm } from '@/components/account/settings/publisher-form';
import { settingsPath } from '@/components/account/settings/settings-groups';
import { SettingsPage, SettingsSection } from '@/components/account/settings/settings-page';
import { LanguageLinks } from '@/components/shell/language-links';
import { getOwnPublisher } from '@/lib/catalog';
import { getProfile } from '@/lib/identity';
import { localeParameter, offeredLanguages, offeredLocale } from '@/lib/texts/languages';
import { settingsMetadata } from '../../settings-frame';

export function generateMetadata(): Promise<Metadata> {
  return settingsMetadata('account');
}

export default async function AccountSettings(): Promise<ReactNode> {
  const t = await getTranslations('account.pages');
  const { ctx, name, email } = await signedIn(settingsPath('account'));
  const [publisher, profile] = await Promise.all([getOwnPublisher({ ctx }), getProfile({ ctx })]);
  const mailLocale = offeredLocale(profile.locale) ?? 'en';
  const language = offeredLanguages.find(({ locale }) => locale === mailLocale)?.name ?? '';
  return (
    <SettingsPage group="account">
      <SettingsSection id="profile" lead={t('profile.lead')}>
        <ProfileForm email={email} name={name} />
      </SettingsSection>
      <SettingsSection id="language" lead={t('language.lead')}>
        <LanguageLinks languages={offeredLanguages} parameter={localeParameter} />
        <p className="mt-3 text-sm text-muted">
          {t.rich('language.emails', { language, name: (chunks) => <span lang={mailLocale}>{chunks}</span> })}
        </p>
      </SettingsSection>
      <SettingsSection id="publisher" lead={t('publisher.lead')}>
        <PublisherForm accountName={name} profile={publisher} />
      </SettingsSection>
    </SettingsPage>
  );
}
