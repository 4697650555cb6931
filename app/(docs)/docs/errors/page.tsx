import type { Metadata } from 'next';
import { useLocale, useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DocsSteps } from '@/components/docs/docs-frame';
import { ErrorList, Ticked } from '@/components/docs/error-list';
import { PageHeader } from '@/components/shell/page-header';
import { listDocs } from '@/lib/docs';
import { listProblems, problemIntro } from '@/lib/pages/site';
import { languageOf } from '@/lib/texts/languages';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs.pages.errors');
  return {
    title: t('title'),
    description: t('description'),
    alternates: { canonical: '/docs/errors', types: { 'text/markdown': '/docs/errors.md' } },
  };
}

export default function ErrorsPage(): ReactNode {
  const t = useTranslations('docs.pages.errors');
  return (
    <>
      <PageHeader lead={<Ticked text={problemIntro} />} title={t('title')} />
      <ErrorList entries={listProblems()} />
      <DocsSteps entries={listDocs(languageOf(useLocale()))} slug="errors" />
    </>
  );
}
