import type { Metadata } from 'next';
import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { PageHeader } from '@/components/shell/page-header';
import { listDocs } from '@/lib/docs';
import { docsPath } from '@/lib/docs/schema';
import { languageOf } from '@/lib/texts/languages';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs.pages.home');
  return {
    title: t('title'),
    description: t('description'),
    alternates: { canonical: '/docs' },
  };
}

export default function DocsHome(): ReactNode {
  const t = useTranslations('docs.pages.home');
  const entries = listDocs(languageOf(useLocale()));
  const sections = [...new Set(entries.map(({ section }) => section))];
  return (
    <>
      <PageHeader lead={t('lead')} title={t('title')} />
      {sections.map((section) => (
        <section aria-label={section} className="mt-4 mb-8" key={section}>
          <h2 className="mb-3 text-lg font-semibold">{section}</h2>
          <ul className="grid gap-3 sm:grid-cols-2">
            {entries
              .filter((entry) => entry.section === section)
              .map(({ slug, title, summary, lang }) => (
                <li key={slug}>
                  <Link
                    className="block h-full rounded-lg border border-line bg-surface p-4 hover:border-line-strong"
                    href={docsPath(slug)}
                    lang={lang}
                    prefetch={false}
                  >
                    <span className="font-medium">{title}</span>
                    <span className="mt-1 block text-sm text-muted">{summary}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}
