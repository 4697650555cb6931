import type { Metadata } from 'next';
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
import { siteOrigin } from '@/lib/http/edge';
import { listApps } from '@/lib/tokens';

export const metadata: Metadata = { title: 'Developer apps' };

export default async function AppsPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.apps);
  const [apps, owned] = await Promise.all([listApps({ ctx }), listOwnAgents({ ctx })]);
  const agents = owned
    .filter(({ status }) => status !== 'withdrawn')
    .map(({ slug, name, appId }) => ({ slug, name, appId }));
  return (
    <>
      <PageHeader
        lead="An app holds the credentials with which your agents ask Parley who is calling."
        title="Developer apps"
      />
      <AppList agents={agents} apps={apps} />
      <ConsoleSection id="new-app" title="New app">
        <AppForm />
      </ConsoleSection>
      <ConsoleSection
        id="asking"
        lead="Each call that reaches your agent carries a token. Parley tells your agent, and nobody else, whose it is."
        title="How your agent asks"
      >
        <div className="max-w-2xl">
          <CodeBlock code={introspectLine(siteOrigin())} label="ask who is calling (RFC 7662)" />
        </div>
      </ConsoleSection>
    </>
  );
}
