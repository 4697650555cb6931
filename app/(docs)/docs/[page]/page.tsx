import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { languageAlternates } from '@/app/language-alternates';
import { DocsSteps } from '@/components/docs/docs-frame';
import { listDocs, listDocsLanguages } from '@/lib/docs';
import { docsPath } from '@/lib/docs/schema';
import { directionOf, languageOf } from '@/lib/texts/languages';
import { articles } from './articles';

type Params = Promise<{ page: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const { page } = await params;
  const entry = listDocs(languageOf(await getLocale())).find(({ slug }) => slug === page);
  if (!entry) return {};
  const path = docsPath(page);
  return {
    title: entry.title,
    description: entry.summary,
    alternates: {
      ...(await languageAlternates(path, listDocsLanguages(page))),
      types: { 'text/markdown': `${path}.md` },
    },
  };
}

export default async function DocsArticle({ params }: { params: Params }): Promise<ReactNode> {
  const { page } = await params;
  const language = languageOf(await getLocale());
  const load = articleOf(language, page) ?? articleOf('en', page);
  if (!load) notFound();
  const { default: Article } = await load();
  const isTranslated = language === 'en' || articleOf(language, page) !== undefined;
  const t = await getTranslations('docs.docsArticle');
  return (
    <>
      {isTranslated ? null : <p className="mb-4 text-sm text-muted">{t('englishOnly')}</p>}
      <article {...(isTranslated ? {} : { lang: 'en', dir: directionOf('en') })}>
        <Article />
      </article>
      <DocsSteps entries={listDocs(language)} slug={page} />
    </>
  );
}

function articleOf(language: string, page: string): (typeof articles)[string][string] | undefined {
  const pages = articles[language] ?? {};
  return Object.hasOwn(pages, page) ? pages[page] : undefined;
}
