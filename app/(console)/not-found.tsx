import type { Metadata } from 'next';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { routes } from '@/components/routes';
import { LinkButton } from '@/components/ui/controls/button';
import { EmptyState } from '@/components/ui/display/card';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('console.pages');
  return { title: t('notFound.title') };
}

export default function ConsoleNotFound(): ReactNode {
  const t = useTranslations('console.pages.notFound');
  return (
    <>
      <h1 className="sr-only">{t('title')}</h1>
      <EmptyState
        action={
          <LinkButton href={routes.console} tone="primary">
            {t('agents')}
          </LinkButton>
        }
        title={t('noAgent')}
      >
        {t('hint')}
      </EmptyState>
    </>
  );
}
