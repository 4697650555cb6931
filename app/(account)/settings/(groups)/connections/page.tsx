import type { Metadata } from 'next';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { ConnectionList } from '@/components/account/access/connection-list';
import { GrantList } from '@/components/account/access/grant-list';
import { ReceiverList } from '@/components/account/access/receiver-list';
import { TokenForm, type TokenFormProps } from '@/components/account/access/token-form';
import { TokenList } from '@/components/account/access/token-list';
import { settingsPath } from '@/components/account/settings/settings-groups';
import { SettingsPage, SettingsSection } from '@/components/account/settings/settings-page';
import { pageOfList, SearchableList } from '@/components/forms/searchable-list';
import { routes } from '@/components/routes';
import { settingsRoutes } from '@/components/settings-routes';
import { defaultLimit, getPaymentSettings } from '@/lib/payments';
import { listPushReceivers } from '@/lib/tasks';
import { listAccessTokens, listConnections, listGrants } from '@/lib/tokens';
import type { PageQuery } from '../../../page-query';
import { settingsMetadata, TextWithLink } from '../../settings-frame';

export function generateMetadata(): Promise<Metadata> {
  return settingsMetadata('connections');
}

export default async function ConnectionSettings({ searchParams }: { searchParams: PageQuery }): Promise<ReactNode> {
  const { ctx } = await signedIn(settingsPath('connections'));
  const [query, tokens, { passkeyAbove }, connections, grants, receivers] = await Promise.all([
    searchParams,
    listAccessTokens({ ctx }),
    getPaymentSettings({ ctx }),
    listConnections({ ctx }),
    listGrants({ ctx }),
    listPushReceivers({ ctx }),
  ]);
  return (
    <SettingsPage group="connections">
      <TokenSection caps={tokenCaps(passkeyAbove)} items={tokens} query={query} />
      <AppSection items={connections} query={query} />
      <AgentSection items={grants} query={query} />
      <WebhookSection items={receivers.items} query={query} />
    </SettingsPage>
  );
}

/** Returns the default limits of a new token that can pay. */
function tokenCaps(passkeyAbove: number | null): TokenFormProps['caps'] {
  const ofToken = (period: 'order' | 'day' | 'month'): number => defaultLimit({ scope: 'token', period }) ?? 0;
  // A payment above the passkey threshold requires a passkey, which a token does not have.
  const order = Math.min(ofToken('order'), passkeyAbove ?? Number.POSITIVE_INFINITY);
  return { order, day: ofToken('day'), month: ofToken('month') };
}

interface SectionProps<Item> {
  items: Item[];
  query: Awaited<PageQuery>;
}

type ItemOf<List extends (...options: never[]) => Promise<unknown[]>> = Awaited<ReturnType<List>>[number];

function TokenSection({
  items,
  query,
  caps,
}: SectionProps<ItemOf<typeof listAccessTokens>> & TokenFormProps): ReactNode {
  const t = useTranslations('account.pages.accessTokens');
  const list = pageOfList(settingsRoutes.accessTokens, items, {
    name: 'tokens',
    query,
    textOf: ({ name, prefix }) => `${name} ${prefix}`,
  });
  return (
    <SettingsSection id="tokens" lead={t('lead')}>
      <SearchableList label={t('search')} list={list}>
        <TokenList tokens={list.shown} />
      </SearchableList>
      <section aria-labelledby="new-token" className="mt-8">
        <h3 className="mb-4 font-semibold" id="new-token">
          {t('newToken')}
        </h3>
        <TokenForm caps={caps} />
      </section>
    </SettingsSection>
  );
}

function AppSection({ items, query }: SectionProps<ItemOf<typeof listConnections>>): ReactNode {
  const t = useTranslations('account.pages.connectedApps');
  const list = pageOfList(settingsRoutes.connectedApps, items, {
    name: 'apps',
    query,
    textOf: ({ clientName, clientHost, resourceName }) => `${clientName} ${clientHost ?? ''} ${resourceName}`,
  });
  return (
    <SettingsSection
      id="apps"
      lead={<TextWithLink href={routes.connectDocs} text={(link) => t.rich('lead', { link })} />}
    >
      <SearchableList label={t('search')} list={list}>
        <ConnectionList connections={list.shown} />
      </SearchableList>
    </SettingsSection>
  );
}

function AgentSection({ items, query }: SectionProps<ItemOf<typeof listGrants>>): ReactNode {
  const t = useTranslations('account.pages.connectedAgents');
  const list = pageOfList(settingsRoutes.connectedAgents, items, {
    name: 'agents',
    query,
    textOf: ({ agent }) => `${agent.name} ${agent.slug}`,
  });
  return (
    <SettingsSection id="agents" lead={t('lead')}>
      <SearchableList label={t('search')} list={list}>
        <GrantList grants={list.shown} />
      </SearchableList>
    </SettingsSection>
  );
}

function WebhookSection({
  items,
  query,
}: SectionProps<Awaited<ReturnType<typeof listPushReceivers>>['items'][number]>): ReactNode {
  const t = useTranslations('account.pages.pushReceivers');
  const list = pageOfList(settingsRoutes.pushReceivers, items, {
    name: 'webhooks',
    query,
    textOf: ({ host, taskId, agent, credential }) =>
      `${host} ${taskId} ${agent?.name ?? ''} ${agent?.slug ?? ''} ${credential.name ?? ''}`,
  });
  return (
    <SettingsSection id="webhooks" lead={t('lead')}>
      <SearchableList label={t('search')} list={list}>
        <ReceiverList receivers={list.shown} />
      </SearchableList>
      <p className="mt-4 text-sm text-muted">
        <TextWithLink href={routes.pushes} text={(link) => t.rich('failed', { link })} />
      </p>
    </SettingsSection>
  );
}
