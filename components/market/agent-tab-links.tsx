import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LinkPending } from '../ui/controls/link-pending';
import { type AgentTab, agentTabPath, agentTabs } from './agent-tabs';

export interface AgentTabLinksProps {
  slug: string;
  current: AgentTab;
  /** Number of reviews. */
  reviews: number;
}

/** The tabs of an agent's page: links, so that each has a URL and works without script. */
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
