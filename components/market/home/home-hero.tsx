import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { CONCIERGE_SLUG, type SearchPage } from '@/lib/discovery/schema';
import { routes } from '../../routes';
import { buttonClass } from '../../ui/controls/button';
import { AgentMark } from '../../ui/display/agent-mark';
import { catalogHref, readCatalogQuery } from '../listing/catalog-url';
import { SearchBox } from '../listing/search-box';
import { TalkBubble } from '../listing/talk-bubble';

const shownTags = 6;

interface HomeHeroProps {
  tags: SearchPage['facets']['tags'];
  /** True if the concierge accepts messages. */
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

const cart = [
  { item: 'pizza', price: '€10.50' },
  { item: 'delivery', price: '€2.50' },
] as const;

/** A sample conversation, framed like the signal flag P: a blue border around a white field. */
function ExampleTalk(): ReactNode {
  const t = useTranslations('market.exampleTalk');
  return (
    <figure className="mx-auto w-full max-w-md lg:max-w-none">
      <div className="bg-flag-blue p-5 sm:p-9">
        <div className="bg-surface p-5 sm:p-6">
          <div className="flex items-center gap-3 border-b border-line pb-4">
            <AgentMark size={36} slug="pizzeria" />
            <p className="leading-tight font-semibold">
              {t('agent')}
              <span className="block text-xs font-normal text-muted">{t('what')}</span>
            </p>
          </div>
          <div className="mt-4 space-y-2.5 text-sm">
            <TalkBubble from="user" speaker={t('who.you')}>
              {t('wish')}
            </TalkBubble>
            <TalkBubble from="agent" speaker={t('who.agent')}>
              {t('question')}
            </TalkBubble>
            <TalkBubble from="user" speaker={t('who.you')}>
              {t('address')}
            </TalkBubble>
            <ExampleCart />
          </div>
        </div>
      </div>
      <figcaption className="mt-3 text-sm text-muted">{t('caption')}</figcaption>
    </figure>
  );
}

function ExampleCart(): ReactNode {
  const t = useTranslations('market.exampleTalk');
  return (
    <div className="rounded-lg border border-line-strong p-3.5">
      <p className="text-xs text-muted">{t('cartFrom', { agent: t('agent') })}</p>
      <dl className="mt-2 space-y-1 tabular-nums">
        {cart.map(({ item, price }) => (
          <div className="flex justify-between gap-4" key={item}>
            <dt>{t(`cart.${item}`)}</dt>
            <dd>{price}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 border-t border-line pt-1.5 font-semibold">
          <dt>{t('total')}</dt>
          <dd>€13.00</dd>
        </div>
      </dl>
    </div>
  );
}
