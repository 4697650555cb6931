import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { listPageSchema, pageOfList } from '@/app/list-page';
import { type ListQuery, readListQuery } from '@/app/list-query';
import { signedIn } from '@/app/signed-in';
import { AppForm, AppList } from '@/components/console/apps/app-list';
import { PagedList } from '@/components/forms/paged-list';
import { introspectLine } from '@/components/market/listing/curl-lines';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';
import { ConsoleSection } from '@/components/ui/display/card';
import { CodeBlock } from '@/components/ui/display/code-block';
import { listOwnAgents } from '@/lib/catalog';
import { siteOrigin } from '@/lib/pages/site';
import { listApps } from '@/lib/tokens';

/** Maximum apps on a page. */
const PAGE_SIZE = 10;

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('apps.title') };
}

export default async function AppsPage({ searchParams }: { searchParams: ListQuery }): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { filter, here } = readListQuery(routes.apps, listPageSchema, await searchParams);
  const { ctx } = await signedIn(here);
  const [apps, owned] = await Promise.all([listApps({ ctx }), listOwnAgents({ ctx })]);
  const agents = owned
    .filter(({ status }) => status !== 'withdrawn')
    .map(({ slug, name, appId }) => ({ slug, name, appId }));
  const page = pageOfList(apps, {
    path: routes.apps,
    filter,
    size: PAGE_SIZE,
    textOf: ({ name, clientId, secrets }) => [name, clientId, ...secrets.map(({ prefix }) => prefix)].join(' '),
  });
  return (
    <>
      <PageHeader lead={t('apps.lead')} title={t('apps.title')} />
      <PagedList
        label={t('apps.search')}
        page={page}
        path={routes.apps}
        placeholder={t('apps.searchHint')}
        q={filter.q}
        searchFrom={PAGE_SIZE / 2}
      >
        <AppList agents={agents} apps={page.items} />
      </PagedList>
      <ConsoleSection id="new-app" title={t('apps.newApp')}>
        <AppForm />
      </ConsoleSection>
      <ConsoleSection id="asking" lead={t('apps.askingLead')} title={t('apps.asking')}>
        <div className="max-w-2xl">
          <CodeBlock code={introspectLine(siteOrigin())} label={t('apps.askingLine')} />
        </div>
      </ConsoleSection>
    </>
  );
}
