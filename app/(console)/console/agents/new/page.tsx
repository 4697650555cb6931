import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { RegisterForm } from '@/components/console/register-form';
import { PageHeader } from '@/components/shell/page-header';
import { listAgainPath, routes } from '@/components/shell/routes';
import { listApps } from '@/lib/tokens';

export const metadata: Metadata = { title: 'List an agent' };

interface PageProps {
  searchParams: Promise<{ url?: string | string[] }>;
}

export default async function ListAgentPage({ searchParams }: PageProps): Promise<ReactNode> {
  const given = (await searchParams).url;
  const url = typeof given === 'string' ? given : '';
  const { ctx } = await signedIn(url ? listAgainPath(url) : routes.listAgent);
  const apps = (await listApps({ ctx })).map(({ id, name }) => ({ id, name }));
  return (
    <>
      <PageHeader
        crumbs={[{ href: routes.console, text: 'Your agents' }]}
        lead="Give the address of your agent. Parley reads its card, tells you what to mend, and lists it."
        title="List an agent"
      />
      <RegisterForm apps={apps} key={url} url={url} />
    </>
  );
}
