import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { pageContext } from '@/app/page-context';
import { shellUserOf } from '@/app/shell-user';
import { NotFoundView } from '@/components/market/directory/not-found-view';
import { SiteShell } from '@/components/shell/page-shells';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell.pages.notFound');
  return { title: t('title') };
}

export default async function NotFound(): Promise<ReactNode> {
  const { actor } = await pageContext();
  return (
    <SiteShell user={await shellUserOf(actor)}>
      <NotFoundView />
    </SiteShell>
  );
}
