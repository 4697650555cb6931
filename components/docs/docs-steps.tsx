import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type DocsEntry, docsPath } from '@/lib/docs/schema';

export interface DocsStepsProps {
  entries: DocsEntry[];
  slug: string;
}

/** The previous and next page, and this page for programs. */
export function DocsSteps({ entries, slug }: DocsStepsProps): ReactNode {
  const t = useTranslations('docs.docsSteps');
  const at = entries.findIndex((entry) => entry.slug === slug);
  const previous = entries[at - 1];
  const next = entries[at + 1];
  return (
    <nav aria-label={t('label')} className="mt-12 grid gap-3 border-t border-line pt-6 sm:grid-cols-2">
      {previous ? <Step entry={previous} to="previous" /> : <span />}
      {next ? <Step entry={next} to="next" /> : null}
    </nav>
  );
}

function Step({ entry, to }: { entry: DocsEntry; to: 'previous' | 'next' }): ReactNode {
  const t = useTranslations('docs.docsSteps');
  return (
    <Link
      className={`block rounded-lg border border-line bg-surface px-4 py-3 hover:border-line-strong ${to === 'next' ? 'sm:text-end' : ''}`}
      href={docsPath(entry.slug)}
      prefetch={false}
    >
      <span className="block text-xs text-muted">{t(to)}</span>
      <span className="font-medium">{entry.title}</span>
    </Link>
  );
}
