import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { CardBuilder } from '@/components/console/card-builder';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';

export const metadata: Metadata = { title: 'Build a card' };

export default async function BuildCardPage(): Promise<ReactNode> {
  await signedIn(routes.buildCard);
  return (
    <>
      <PageHeader
        crumbs={[
          { href: routes.console, text: 'Your agents' },
          { href: routes.listAgent, text: 'List an agent' },
        ]}
        lead="Fill in what your agent is, and a card of A2A 1.0 is made for you to serve."
        title="Build a card"
      />
      <CardBuilder />
    </>
  );
}
