import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { catalogHref, readCatalogQuery } from './catalog-url';

/** An agent's tags, each a link to the agents that have it. */
export function TagLinks({ tags }: { tags: string[] }): ReactNode {
  const t = useTranslations('market.tagLinks');
  if (tags.length === 0) return null;
  return (
    <ul aria-label={t('label')} className="mt-3 flex flex-wrap gap-x-3 text-sm">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            className="inline-flex min-h-6 items-center text-muted hover:text-accent hover:underline touch:min-h-11"
            href={catalogHref(readCatalogQuery({ tag }))}
            prefetch={false}
          >
            <bdi>#{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
