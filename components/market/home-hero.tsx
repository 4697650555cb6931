import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { CONCIERGE_SLUG, type SearchPage } from '@/lib/discovery/schema';
import { routes } from '../routes';
import { buttonClass } from '../ui/controls/button';
import { catalogHref, readCatalogQuery } from './catalog-url';
import { ExampleTalk } from './example-talk';
import { SearchBox } from './search-box';

const shownTags = 6;

export interface HomeHeroProps {
  tags: SearchPage['facets']['tags'];
  /** The concierge takes messages. */
  hasConcierge: boolean;
}

/** The introduction to Parley, and the search. */
export function HomeHero({ tags, hasConcierge }: HomeHeroProps): ReactNode {
  const t = useTranslations('market.homeHero');
  return (
    <section className="page-x grid grid-cols-1 items-center gap-x-14 gap-y-12 pt-10 pb-14 sm:pt-16 lg:grid-cols-[1.15fr_1fr] lg:pb-20">
      <div className="min-w-0">
        <h1 className="text-display font-semibold">
          <span className="block">{t('find')}</span> <span className="block">{t('talk')}</span>{' '}
          <span className="block">
            {t.rich('terms', { mark: (chunks) => <span className="marked">{chunks}</span> })}
          </span>
        </h1>
        <p className="mt-6 max-w-[46ch] text-lg text-muted">{t('lead')}</p>
        <search>
          <form action={routes.catalog} className="mt-8 max-w-xl">
            <SearchBox />
            {hasConcierge ? <AskConcierge /> : null}
          </form>
        </search>
        <PopularTags tags={tags.slice(0, shownTags)} />
        <p className="mt-6 text-sm text-muted">
          {t.rich('builtOne', {
            list: (chunks) => (
              <Link className="text-link" href={routes.listAgent} prefetch={false}>
                {chunks}
              </Link>
            ),
          })}
        </p>
      </div>
      <ExampleTalk />
    </section>
  );
}

/** Sends the text of the search box to the concierge instead. */
function AskConcierge(): ReactNode {
  const t = useTranslations('market.homeHero');
  return (
    <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-muted">
      <button
        className={buttonClass({ tone: 'secondary', size: 'sm' })}
        formAction={routes.newChat}
        name="agent"
        type="submit"
        value={CONCIERGE_SLUG}
      >
        {t('askConcierge')}
      </button>
      <span>{t('conciergeMeans')}</span>
    </p>
  );
}

function PopularTags({ tags }: { tags: SearchPage['facets']['tags'] }): ReactNode {
  const t = useTranslations('market.homeHero');
  if (tags.length === 0) return null;
  return (
    <ul aria-label={t('popularTags')} className="mt-4 flex flex-wrap gap-2">
      {tags.map(({ value }) => (
        <li key={value}>
          <Link
            className="inline-flex min-h-8 items-center rounded-full border border-line bg-surface px-3 text-sm text-muted hover:border-line-strong hover:text-ink touch:min-h-11"
            href={catalogHref(readCatalogQuery({ tag: value }))}
            prefetch={false}
          >
            <bdi>{value}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}
