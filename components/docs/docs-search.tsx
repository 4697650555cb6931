'use client';

import Link from 'next/link';
import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { DocsPassage } from '@/lib/docs/schema';
import { languageOf } from '../../lib/texts/languages';
import { usePrehydrationValue } from '../forms/use-initial-text';
import { SearchIcon } from '../ui/display/icons';

type Find = (words: string) => DocsPassage[];

const shown = 8;

/** Docs search. The index is loaded on the first click into the box. */
export function DocsSearch(): ReactNode {
  const t = useTranslations('docs.docsSearch');
  const language = languageOf(useLocale());
  const id = useId();
  const find = useRef<Promise<Find>>(null);
  const latest = useRef('');
  const [words, setWords] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<DocsPassage[] | 'away'>([]);

  function load(): Promise<Find> {
    find.current ??= loadIndex(language);
    return find.current;
  }

  async function search(typed: string): Promise<void> {
    setWords(typed);
    latest.current = typed;
    try {
      const results = (await load())(typed).slice(0, shown);
      if (latest.current === typed) setFound(results);
    } catch {
      find.current = null;
      setFound('away');
    }
  }

  usePrehydrationValue(field, (typed) => void search(typed));
  const searching = words.trim() !== '';
  return (
    <search className="block">
      <label className="sr-only" htmlFor={id}>
        {t('label')}
      </label>
      <div className="relative">
        <SearchIcon className="pointer-events-none absolute top-1/2 start-3 -translate-y-1/2 text-muted" size={16} />
        <input
          className="min-h-10 w-full rounded-md border border-line-strong bg-surface pe-3 ps-9 text-sm touch:min-h-11 touch:text-base"
          id={id}
          onChange={(event) => void search(event.target.value)}
          onFocus={() => void load().catch(() => undefined)}
          placeholder={t('label')}
          ref={field}
          type="search"
          value={words}
        />
      </div>
      <p aria-live="polite" className="sr-only">
        {searching && found !== 'away' ? t('found', { count: found.length }) : ''}
      </p>
      {searching ? <Results found={found} onChosen={() => setWords('')} /> : null}
    </search>
  );
}

function Results({ found, onChosen }: { found: DocsPassage[] | 'away'; onChosen: () => void }): ReactNode {
  const t = useTranslations('docs.docsSearch');
  const language = languageOf(useLocale());
  if (found === 'away') return <p className="mt-2 text-sm text-muted">{t('away')}</p>;
  if (found.length === 0) return <p className="mt-2 text-sm text-muted">{t('nothing')}</p>;
  return (
    <ul className="mt-2 divide-y divide-line rounded-lg border border-line bg-raised shadow-card">
      {found.map(({ id, lang, href, title, heading }) => (
        <li key={id} lang={lang === language ? undefined : lang}>
          <Link className="block px-3 py-2 text-sm hover:bg-sunken" href={href} onClick={onChosen} prefetch={false}>
            <span className="block font-medium">{heading || title}</span>
            {heading ? <span className="text-muted">{title}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Loads the index of the pages in a language, and in English if they have no translation. */
async function loadIndex(language: string): Promise<Find> {
  const [{ default: MiniSearch }, answer] = await Promise.all([import('minisearch'), fetch('/docs/search.json')]);
  const { passages } = (await answer.json()) as { passages: DocsPassage[] };
  const index = new MiniSearch<DocsPassage>({
    fields: ['heading', 'title', 'text'],
    searchOptions: { boost: { heading: 4, title: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  });
  const translated = new Set(passages.filter(({ lang }) => lang === language).map(pageOf));
  index.addAll(passages.filter((one) => one.lang === language || (one.lang === 'en' && !translated.has(pageOf(one)))));
  return (words) => index.search(words).flatMap(({ id }) => passages[id] ?? []);
}

function pageOf({ href }: DocsPassage): string {
  return href.split('#')[0] ?? href;
}
