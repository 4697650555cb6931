import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { SessionList } from '@/components/account/access/session-list';
import { TokenList, type TokenListProps } from '@/components/account/access/token-list';
import { ActivityFilter, ActivityList } from '@/components/account/settings/activity-list';
import { PasswordForm, type PasswordFormProps } from '@/components/account/settings/password-form';
import { settingsPath } from '@/components/account/settings/settings-groups';
import { SettingsPage, SettingsSection } from '@/components/account/settings/settings-page';
import { pageOfList, SearchableList } from '@/components/forms/searchable-list';
import { routes } from '@/components/routes';
import { settingsRoutes, withQuery } from '@/components/settings-routes';
import { Pagination } from '@/components/ui/controls/pagination';
import { listActivity } from '@/lib/account';
import { type ActivityPage, type ActivityTopic, activityTopics } from '@/lib/account/schema';
import { getProfile, listSessions } from '@/lib/identity';
import { hasCode } from '@/lib/pages/site';
import { listAccessTokens } from '@/lib/tokens';
import { type PageQuery, readQuery } from '../../../page-query';
import { settingsMetadata, TextWithLink } from '../../settings-frame';

export function generateMetadata(): Promise<Metadata> {
  return settingsMetadata('security');
}

export default async function SecuritySettings({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { ctx, email } = await signedIn(settingsPath('security'));
  const { value } = await readQuery(searchParams);
  const cursor = value('before') ?? null;
  const topic = activityTopics.find((one) => one === value('topic'));
  const [query, { hasPassword }, sessions, tokens, activity] = await Promise.all([
    searchParams,
    getProfile({ ctx }),
    listSessions({ ctx }),
    listAccessTokens({ ctx }),
    readActivity(ctx, { cursor, topic }),
  ]);
  const devices = tokens.filter(({ kind }) => kind === 'device');
  return (
    <SettingsPage group="security">
      <PasswordSection email={email} error={value('error')} hasPassword={hasPassword} />
      <SessionSection devices={devices} query={query} sessions={sessions} />
      <ActivitySection activity={activity} isLater={cursor !== null} topic={topic} />
    </SettingsPage>
  );
}

function PasswordSection(password: PasswordFormProps): ReactNode {
  const t = useTranslations('account.pages.password');
  const { hasPassword } = password;
  const withPassword = <TextWithLink href={routes.forgot} text={(link) => t.rich('lead', { link })} />;
  return (
    <SettingsSection id="password" lead={hasPassword ? withPassword : t('leadWithout')}>
      <PasswordForm {...password} />
    </SettingsSection>
  );
}

interface SessionSectionProps {
  sessions: Awaited<ReturnType<typeof listSessions>>;
  devices: TokenListProps['tokens'];
  query: Awaited<PageQuery>;
}

function SessionSection({ sessions, devices, query }: SessionSectionProps): ReactNode {
  const t = useTranslations('account.pages.sessions');
  const list = pageOfList(settingsRoutes.sessions, sessions, {
    name: 'sessions',
    query,
    textOf: ({ device, address }) => `${device} ${address}`,
  });
  return (
    <SettingsSection id="sessions" lead={t('lead')}>
      <SearchableList label={t('search')} list={list}>
        <SessionList devices={devices.length} sessions={list.shown} total={sessions.length} />
      </SearchableList>
      {devices.length > 0 ? (
        <section aria-labelledby="devices" className="mt-8">
          <h3 className="mb-4 font-semibold" id="devices">
            {t('devices')}
          </h3>
          <TokenList tokens={devices} />
        </section>
      ) : null}
    </SettingsSection>
  );
}

interface ActivitySectionProps {
  activity: ActivityPage;
  topic: ActivityTopic | undefined;
  /** True for all pages but the first one. */
  isLater: boolean;
}

function ActivitySection({ activity: { items, nextCursor }, topic, isLater }: ActivitySectionProps): ReactNode {
  const t = useTranslations('account.pages.activity');
  return (
    <SettingsSection id="activity" lead={t('lead')}>
      <div className="space-y-6">
        <ActivityFilter topic={topic} />
        <ActivityList entries={items} isFiltered={topic !== undefined} />
        <Pagination
          firstHref={isLater ? activityHref(topic) : null}
          label={t('pagination')}
          nextHref={nextCursor ? activityHref(topic, nextCursor) : null}
        />
      </div>
    </SettingsSection>
  );
}

function activityHref(topic: ActivityTopic | undefined, before?: string): string {
  return withQuery(settingsRoutes.activity, { ...(topic ? { topic } : {}), ...(before ? { before } : {}) });
}

/** Reads one page, which is the first one for an invalid cursor. */
async function readActivity(
  ctx: Awaited<ReturnType<typeof signedIn>>['ctx'],
  { cursor, topic }: { cursor: string | null; topic: ActivityTopic | undefined },
): Promise<ActivityPage> {
  try {
    return await listActivity({ ctx, input: { cursor, topic } });
  } catch (error) {
    if (cursor && hasCode(error, 'invalid_request')) redirect(activityHref(topic));
    throw error;
  }
}
