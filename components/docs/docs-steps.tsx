import Link from 'next/link';
import type { ReactNode } from 'react';
import { type DocsEntry, docsPath } from '@/lib/docs/schema';

export interface DocsStepsProps {
  entries: DocsEntry[];
  slug: string;
}

/** The pages before and after this one, and this one for programs. */
export function DocsSteps({ entries, slug }: DocsStepsProps): ReactNode {
  const at = entries.findIndex((entry) => entry.slug === slug);
  const previous = entries[at - 1];
  const next = entries[at + 1];
  return (
    <nav aria-label="Previous and next page" className="mt-12 grid gap-3 border-t border-line pt-6 sm:grid-cols-2">
      {previous ? <Step entry={previous} text="Previous" /> : <span />}
      {next ? <Step entry={next} text="Next" /> : null}
    </nav>
  );
}

function Step({ entry, text }: { entry: DocsEntry; text: 'Previous' | 'Next' }): ReactNode {
  return (
    <Link
      className={`block rounded-lg border border-line bg-surface px-4 py-3 hover:border-line-strong ${text === 'Next' ? 'sm:text-end' : ''}`}
      href={docsPath(entry.slug)}
      prefetch={false}
    >
      <span className="block text-xs text-muted">{text}</span>
      <span className="font-medium">{entry.title}</span>
    </Link>
  );
}
