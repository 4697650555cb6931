import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { PageHeader } from '../../shell/page-header';
import { ConsoleSection } from '../../ui/display/card';
import { ArrowRightIcon } from '../../ui/display/icons';
import {
  type SettingsGroup,
  type SettingsSectionName,
  settingsGroupNames,
  settingsGroups,
  settingsPath,
} from './settings-groups';

interface SettingsPageProps {
  group: SettingsGroup;
  /** The sections, each with the id that the group has for it. */
  children: ReactNode;
}

/** The page of a group of settings. */
export function SettingsPage({ group, children }: SettingsPageProps): ReactNode {
  const t = useTranslations('account.settingsFrame');
  return (
    <>
      <PageHeader title={t(`groups.${group}`)} />
      <ul aria-label={t('onPage')} className="flex flex-wrap gap-2 md:hidden">
        {settingsGroups[group].map((section) => (
          <li key={section}>
            <a
              className="inline-flex min-h-9 items-center rounded-full border border-line bg-surface px-3 text-sm touch:min-h-11"
              href={`#${section}`}
            >
              {t(`sections.${section}`)}
            </a>
          </li>
        ))}
      </ul>
      <div className="max-md:mt-8 [&>section:first-child]:mt-0">{children}</div>
    </>
  );
}

interface SettingsSectionProps {
  id: SettingsSectionName;
  lead?: ReactNode;
  children: ReactNode;
}

/** A section of a group's page, titled as in the navigation. */
export function SettingsSection({ id, ...section }: SettingsSectionProps): ReactNode {
  const t = useTranslations('account.settingsFrame');
  return <ConsoleSection {...section} id={id} title={t(`sections.${id}`)} />;
}

/** All groups of settings with the names of their sections. */
export function SettingsOverview(): ReactNode {
  const t = useTranslations('account.settingsFrame');
  return (
    <>
      <PageHeader lead={t('lead')} title={t('settings')} />
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-card">
        {settingsGroupNames.map((group) => (
          <li key={group}>
            <Link
              className="flex items-center justify-between gap-4 px-5 py-4 outline-offset-[-2px] hover:bg-sunken"
              href={settingsPath(group)}
            >
              <span className="min-w-0">
                <span className="block font-medium">{t(`groups.${group}`)}</span>
                <span className="mt-0.5 block text-sm text-muted">
                  {settingsGroups[group].map((section) => t(`sections.${section}`)).join(' · ')}
                </span>
              </span>
              <ArrowRightIcon className="shrink-0 text-muted" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
