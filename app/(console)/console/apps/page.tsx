import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AppForm } from '@/components/console/app-form';
import { AppList } from '@/components/console/app-list';
import { ConsoleSection } from '@/components/console/console-section';
import { introspectLine } from '@/components/market/curl-lines';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { CodeBlock } from '@/components/ui/code-block';
import { listOwnAgents } from '@/lib/catalog';
import { siteOrigin } from '@/lib/http/guard/middleware-helpers';
import { listApps } from '@/lib/tokens';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('apps.title') };
}

export default async function AppsPage(): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  const { ctx } = await signedIn(routes.apps);
  const [apps, owned] = await Promise.all([listApps({ ctx }), listOwnAgents({ ctx })]);
  const agents = owned
    .filter(({ status }) => status !== 'withdrawn')
    .map(({ slug, name, appId }) => ({ slug, name, appId }));
  return (
    <>
      <PageHeader lead={t('apps.lead')} title={t('apps.title')} />
      <AppList agents={agents} apps={apps} />
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
