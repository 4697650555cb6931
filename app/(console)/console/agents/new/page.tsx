import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { RegisterForm } from '@/components/console/register-form';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { listApps } from '@/lib/tokens';

export const metadata: Metadata = { title: 'List an agent' };

export default async function ListAgentPage(): Promise<ReactNode> {
  const { ctx } = await signedIn(routes.listAgent);
  const apps = (await listApps({ ctx })).map(({ id, name }) => ({ id, name }));
  return (
    <>
      <PageHeader
        crumbs={[{ href: routes.console, text: 'Your agents' }]}
        lead="Give the address of your agent. Parley reads its card, tells you what to mend, and lists it."
        title="List an agent"
      />
      <RegisterForm apps={apps} />
    </>
  );
}
