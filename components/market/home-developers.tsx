import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { LinkButton } from '../ui/controls/button';
import { CodeBlock } from '../ui/display/code-block';
import { introspectLine } from './curl-lines';

/** For agent developers: list an agent, and identify callers. The commands contain this origin. */
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
