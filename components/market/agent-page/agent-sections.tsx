import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LinkPending } from '../../ui/controls/link-pending';
import { type AgentTab, agentTabPath, agentTabs } from '../listing/agent-tabs';
import { catalogHref, readCatalogQuery } from '../listing/catalog-url';

interface SectionProps {
  id: string;
  title: ReactNode;
  lead?: ReactNode;
  /** True for the first section of its tab, without a line above it. */
  isFirst?: boolean;
  children: ReactNode;
}

/** A section of the agent page, with its own anchor. */
export function Section({ id, title, lead, isFirst = false, children }: SectionProps): ReactNode {
  return (
    <section
      aria-labelledby={`${id}-title`}
      className={clsx('scroll-mt-32', !isFirst && 'border-t border-line pt-8')}
      id={id}
    >
      <h2 className="text-xl font-semibold" id={`${id}-title`}>
        {title}
      </h2>
      {lead ? <p className="mt-1 max-w-prose text-muted">{lead}</p> : null}
      <div className="mt-5">{children}</div>
    </section>
  );
}

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

interface AgentTabLinksProps {
  slug: string;
  current: AgentTab;
  /** Number of reviews. */
  reviews: number;
}

/** The tabs of an agent's page. They are links, so that each has a URL and works without JavaScript. */
export function AgentTabLinks({ slug, current, reviews }: AgentTabLinksProps): ReactNode {
  const t = useTranslations('market.agentTabs');
  return (
    <nav
      aria-label={t('label')}
      className="sticky top-(--header-height) z-20 mt-6 mb-8 overflow-x-auto border-b border-line bg-canvas"
      id="tabs"
    >
      <ul className="-ms-2.5 flex gap-1">
        {agentTabs.map((tab) => (
          <li className="shrink-0" key={tab}>
            <Link
              aria-current={tab === current ? 'page' : undefined}
              className={clsx(
                'inline-flex min-h-11 items-center gap-1.5 border-b-2 px-2.5 text-sm font-medium -outline-offset-2',
                tab === current
                  ? 'border-accent text-ink'
                  : 'border-transparent text-muted hover:border-line-strong hover:text-ink',
              )}
              href={agentTabPath(slug, tab)}
              prefetch={false}
              scroll={false}
            >
              {t(`tab.${tab}`)}
              {tab === 'reviews' && reviews > 0 ? (
                <span className="rounded-full bg-sunken px-1.5 text-xs text-muted tabular-nums">{reviews}</span>
              ) : null}
              <LinkPending />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
