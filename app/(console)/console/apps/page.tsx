import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { AppForm } from '@/components/console/app-form';
import { AppList } from '@/components/console/app-list';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listApps } from '@/lib/tokens';

export const metadata: Metadata = { title: 'Developer apps' };

export default async function AppsPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.apps);
  return (
    <>
      <PageHeader
        lead="An app holds the credentials with which your agents ask Parley who is calling."
        title="Developer apps"
      />
      <AppList apps={await listApps({ ctx })} />
      <section aria-labelledby="new-app" className="mt-10">
        <h2 className="mb-4 text-xl font-semibold" id="new-app">
          New app
        </h2>
        <AppForm />
      </section>
    </>
  );
}
