import type { Metadata } from 'next';
import { useLocale, useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ApiReference } from '@/components/docs/api-reference';
import { DocsSteps } from '@/components/docs/docs-frame';
import { PageHeader } from '@/components/shell/page-header';
import { listDocs } from '@/lib/docs';
import { describeEndpoints } from '@/lib/pages/site';
import { languageOf } from '@/lib/texts/languages';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs.pages.api');
  return {
    title: t('title'),
    description: t('description'),
    alternates: { canonical: '/docs/api', types: { 'application/json': '/openapi.json' } },
  };
}

export default function ApiPage(): ReactNode {
  const t = useTranslations('docs.pages.api');
  return (
    <>
      <PageHeader
        lead={t.rich('lead', {
          code: (chunks) => <code className="font-mono">{chunks}</code>,
          link: (chunks) => (
            <a className="text-link" href="/openapi.json">
              {chunks}
            </a>
          ),
        })}
        title={t('title')}
      />
      <ApiReference api={describeEndpoints()} />
      <DocsSteps entries={listDocs(languageOf(useLocale()))} slug="api" />
    </>
  );
}
