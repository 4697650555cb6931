import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type DocsEntry, docsPath } from '@/lib/docs/schema';
import { NavLink } from '../shell/current-path';
import { ChevronDownIcon } from '../ui/display/icons';
import { DocsSearch } from './docs-search';

interface DocsFrameProps {
  entries: DocsEntry[];
  children: ReactNode;
}

/** The docs navigation next to the page; on a phone, folded above it. */
export function DocsFrame({ entries, children }: DocsFrameProps): ReactNode {
  const t = useTranslations('docs.docsFrame');
  return (
    <div className="page-x grid gap-x-12 gap-y-6 py-8 md:py-12 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <div className="min-w-0 space-y-4 lg:sticky lg:-mx-2.5 lg:px-2.5 lg:top-[calc(var(--header-height)+2rem)] lg:max-h-[calc(100dvh-var(--header-height)-3rem)] lg:self-start lg:overflow-y-auto">
        <DocsSearch />
        <details className="rounded-lg border border-line bg-surface lg:hidden">
          <summary className="bare-summary flex min-h-11 items-center justify-between px-4 text-sm font-medium">
            {t('all')}
            <ChevronDownIcon className="chevron" size={16} />
          </summary>
          <Pages entries={entries} label={t('pagesFolded')} />
        </details>
        <div className="hidden lg:block">
          <Pages entries={entries} label={t('pages')} />
        </div>
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  );
}

function Pages({ entries, label }: { entries: DocsEntry[]; label: string }): ReactNode {
  const sections = [...new Set(entries.map(({ section }) => section))];
  return (
    <nav aria-label={label} className="space-y-5 p-2 lg:-mx-2.5 lg:p-0">
      {sections.map((section) => (
        <div key={section}>
          <p className="px-2.5 pb-1 text-xs font-semibold text-muted">{section}</p>
          <ul>
            {entries
              .filter((entry) => entry.section === section)
              .map(({ slug, title, lang }) => (
                <li key={slug}>
                  <NavLink href={docsPath(slug)} variant="row">
                    <span lang={lang}>{title}</span>
                  </NavLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

interface DocsStepsProps {
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
      <span className="font-medium" lang={entry.lang}>
        {entry.title}
      </span>
    </Link>
  );
}
