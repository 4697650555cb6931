import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { DocsSteps } from '@/components/docs/docs-frame';
import { listDocs } from '@/lib/docs';
import { docsPath } from '@/lib/docs/schema';
import { articles } from './articles';

type Params = Promise<{ page: string }>;

export async function generateMetadata({ params }: { params: Params }): Promise<Metadata> {
  const { page } = await params;
  const entry = listDocs().find(({ slug }) => slug === page);
  if (!entry) return {};
  const path = docsPath(page);
  return {
    title: entry.title,
    description: entry.summary,
    alternates: { canonical: path, types: { 'text/markdown': `${path}.md` } },
  };
}

export default async function DocsArticle({ params }: { params: Params }): Promise<ReactNode> {
  const { page } = await params;
  const load = Object.hasOwn(articles, page) ? articles[page] : undefined;
  if (!load) notFound();
  const { default: Article } = await load();
  return (
    <>
      <article>
        <Article />
      </article>
      <DocsSteps entries={listDocs()} slug={page} />
    </>
  );
}
