import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Need } from '@/lib/chat/schema-thread';
import { CONCIERGE_SLUG } from '@/lib/discovery/schema';
import { routes } from '../../routes';
import { AskBox } from './ask-box';
import { ExampleTalk } from './example-talk';
import { HomeNeeds } from './home-needs';

interface HomeHeroProps {
  needs: Need[];
  /** True if the concierge accepts messages. */
  hasConcierge: boolean;
}

/** The introduction to Parley, its input, a conversation as an example, and jobs to start with. */
export function HomeHero({ needs, hasConcierge }: HomeHeroProps): ReactNode {
  const t = useTranslations('market.homeHero');
  return (
    <section className="page-x grid grid-cols-1 gap-x-14 gap-y-5 pt-6 pb-14 sm:pt-16 lg:grid-cols-[1.15fr_1fr] lg:grid-rows-[auto_1fr] lg:pb-20">
      <div className="min-w-0">
        <h1 className="text-display font-semibold">
          {t.rich('title', { mark: (chunks) => <span className="marked">{chunks}</span> })}
        </h1>
        <p className="mt-4 max-w-[46ch] text-pretty text-muted sm:mt-6 sm:text-lg">{t('lead')}</p>
        <search>
          <form action={routes.catalog} className="mt-5 max-w-xl sm:mt-8">
            <AskBox concierge={hasConcierge ? CONCIERGE_SLUG : null} />
          </form>
        </search>
      </div>
      <div className="lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-center">
        <ExampleTalk />
      </div>
      <div className="min-w-0">
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
    </section>
  );
}
