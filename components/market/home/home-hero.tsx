import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Need } from '@/lib/chat/schema-thread';
import { CONCIERGE_SLUG } from '@/lib/discovery/schema';
import { routes } from '../../routes';
import { buttonClass } from '../../ui/controls/button';
import { SearchBox } from '../listing/search-box';
import { ExampleTalk } from './example-talk';
import { HomeNeeds } from './home-needs';

interface HomeHeroProps {
  needs: Need[];
  /** True if the concierge accepts messages. */
  hasConcierge: boolean;
}

/** The introduction to Parley, and the search. */
export function HomeHero({ needs, hasConcierge }: HomeHeroProps): ReactNode {
  const t = useTranslations('market.homeHero');
  return (
    <section className="page-x grid grid-cols-1 items-center gap-x-14 gap-y-12 pt-8 pb-14 sm:pt-16 lg:grid-cols-[1.15fr_1fr] lg:pb-20">
      <div className="min-w-0">
        <h1 className="text-display font-semibold">
          {t.rich('title', { mark: (chunks) => <span className="marked">{chunks}</span> })}
        </h1>
        <p className="mt-6 max-w-[46ch] text-lg text-muted">{t('lead')}</p>
        <search>
          <form action={routes.catalog} className="mt-8 max-w-xl">
            <SearchBox />
            {hasConcierge ? <AskConcierge /> : null}
          </form>
        </search>
        <HomeNeeds needs={needs} />
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
