import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { PublisherForm } from '@/components/account/publisher-form';
import { PageHeader } from '@/components/shell/page-header';
import { routes } from '@/components/shell/routes';
import { getOwnPublisher } from '@/lib/catalog';

export const metadata: Metadata = { title: 'Publisher' };

export default async function PublisherSettingsPage(): Promise<ReactNode> {
  const { ctx, name } = await signedIn(routes.publisher);
  return (
    <>
      <PageHeader lead="How others see you beside the agents that you list." title="Publisher" />
      <PublisherForm accountName={name} profile={await getOwnPublisher({ ctx })} />
    </>
  );
}
