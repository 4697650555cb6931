import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { SearchResult } from '@/lib/discovery/schema';
import { routes } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { EmptyState } from '../../ui/display/card';
import { CodeBlock } from '../../ui/display/code-block';
import { ArrowRightIcon } from '../../ui/display/icons';
import { AgentCard } from '../cards/agent-card';
import { introspectLine } from '../listing/curl-lines';

/** The agents with the best score. */
export function HomeAgents({ agents }: { agents: SearchResult[] }): ReactNode {
  const t = useTranslations('market.homeAgents');
  return (
    <section aria-labelledby="top-agents" className="page-x pb-16">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-2xl font-semibold" id="top-agents">
          {t('title')}
        </h2>
        {agents.length > 0 ? (
          <Link
            className="text-link inline-flex min-h-8 items-center gap-1.5 text-sm touch:min-h-11"
            href={routes.catalog}
          >
            {t('browseAll')} <ArrowRightIcon size={15} />
          </Link>
        ) : null}
      </div>
      {agents.length > 0 ? (
        <ul className={clsx('mt-6 grid grid-cols-1 gap-4 sm:grid-cols-2', agents.length > 2 && 'lg:grid-cols-3')}>
          {agents.map((agent) => (
            <li key={agent.slug}>
              <AgentCard agent={agent} level={3} standing={agent.standing} />
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState
          action={
            <LinkButton href={routes.listAgent} tone="primary">
              {t('list')}
            </LinkButton>
          }
          className="mt-6"
          level={3}
          title={t('empty')}
        >
          {t('emptyHow')}
        </EmptyState>
      )}
    </section>
  );
}

const promises = ['identity', 'nothingLost', 'badges', 'open'] as const;

/** The guarantees for users. */
export function HomeBenefits(): ReactNode {
  const t = useTranslations('market.homePromises');
  return (
    <section aria-labelledby="count-on" className="page-x pt-16">
      <h2 className="text-2xl font-semibold" id="count-on">
        {t('title')}
      </h2>
      <dl className="mt-8 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {promises.map((promise) => (
          <div className="border-t-2 border-ink pt-4" key={promise}>
            <dt className="font-semibold">{t(`${promise}.title`)}</dt>
            <dd className="mt-2 text-sm text-muted">{t(`${promise}.text`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const signals: readonly Signal[] = ['G', 'K', 'C'];

/** The three steps of using Parley, with signal flags. */
export function HomeSteps(): ReactNode {
  const t = useTranslations('market.homeSteps');
  return (
    <section aria-labelledby="how" className="border-y border-line bg-surface">
      <div className="page-x py-16">
        <h2 className="text-2xl font-semibold" id="how">
          {t('title')}
        </h2>
        <ol className="mt-8 grid grid-cols-1 gap-10 md:grid-cols-3">
          {signals.map((signal, index) => (
            <li key={signal}>
              <SignalFlag signal={signal} />
              <h3 className="mt-4 text-xl font-semibold">
                <span aria-hidden="true" className="me-2 text-muted tabular-nums">
                  {index + 1}
                </span>
                {t(`${signal}.title`)}
              </h3>
              <p className="mt-2 text-muted">{t(`${signal}.text`)}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

type Signal = 'G' | 'K' | 'C';

const drawings: Record<Signal, ReactNode> = {
  G: (
    <>
      <path className="fill-signal" d="M0 0h10v40H0zM20 0h10v40H20zM40 0h10v40H40z" />
      <path className="fill-flag-blue" d="M10 0h10v40H10zM30 0h10v40H30zM50 0h10v40H50z" />
    </>
  ),
  K: (
    <>
      <path className="fill-signal" d="M0 0h30v40H0z" />
      <path className="fill-flag-blue" d="M30 0h30v40H30z" />
    </>
  ),
  C: (
    <>
      <path className="fill-flag-blue" d="M0 0h60v8H0zM0 32h60v8H0z" />
      <path className="fill-white" d="M0 8h60v8H0zM0 24h60v8H0z" />
      <path className="fill-flag-red" d="M0 16h60v8H0z" />
    </>
  ),
};

/**
 * A flag of the International Code of Signals: G asks for a pilot, K requests communication, C means yes. Decorative.
 */
function SignalFlag({ signal }: { signal: Signal }): ReactNode {
  return (
    <svg aria-hidden="true" className="border border-line" focusable="false" height="40" viewBox="0 0 60 40" width="60">
      {drawings[signal]}
    </svg>
  );
}

/** The section for agent developers: list an agent, and identify callers. The commands contain this origin. */
export function HomeDevelopers({ origin }: { origin: string }): ReactNode {
  const t = useTranslations('market.homeDevelopers');
  const list = [
    `curl -sS ${origin}/api/agents \\`,
    '  -H "Authorization: Bearer $PARLEY_TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"url": "https://agent.example.com"}'`,
  ].join('\n');
  return (
    <section
      aria-labelledby="developers"
      className="page-x grid grid-cols-1 gap-x-14 gap-y-8 py-16 lg:grid-cols-[1fr_minmax(0,1.25fr)] lg:py-24"
    >
      <div>
        <h2 className="text-3xl font-semibold" id="developers">
          {t('title')}
        </h2>
        <p className="mt-4 max-w-[48ch] text-lg text-muted">{t('lead')}</p>
        <p className="mt-4 max-w-[48ch] text-muted">{t('token')}</p>
        <div className="mt-7 flex flex-wrap gap-3">
          <LinkButton href={routes.listAgent} size="lg" tone="primary">
            {t('list')}
          </LinkButton>
          <LinkButton href={routes.console} size="lg">
            {t('console')}
          </LinkButton>
        </div>
      </div>
      <div className="min-w-0 space-y-4">
        <CodeBlock code={list} label={t('listLine')} />
        <CodeBlock code={introspectLine(origin)} label={t('introspectLine')} />
      </div>
    </section>
  );
}
