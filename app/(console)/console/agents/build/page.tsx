import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { signedIn } from '@/app/signed-in';
import { CardBuilder } from '@/components/console/builder/card-builder';
import { routes } from '@/components/routes';
import { PageHeader } from '@/components/shell/page-header';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('buildCard.title') };
}

export default async function BuildCardPage(): Promise<ReactNode> {
  const t = await getTranslations('console.pages');
  await signedIn(routes.buildCard);
  return (
    <>
      <PageHeader
        crumbs={[
          { href: routes.console, text: t('crumbs.agents') },
          { href: routes.listAgent, text: t('crumbs.listAgent') },
        ]}
        lead={t('buildCard.lead')}
        title={t('buildCard.title')}
      />
      <CardBuilder />
    </>
  );
}
