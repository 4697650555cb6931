'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../ui/controls/button';

export interface ErrorViewProps {
  /** Next's digest, which is also in the server log. */
  digest: string | undefined;
}

/**
 * A page that failed to render: the failure, the state of the user's data, and the next step. Receives the focus, so
 * that it is announced.
 */
export function ErrorView({ digest }: ErrorViewProps): ReactNode {
  const t = useTranslations('shell.errorView');
  const tSite = useTranslations('shell.site');
  const title = useRef<HTMLHeadingElement>(null);

  useEffect(() => title.current?.focus(), []);

  return (
    <div className="page-x py-20 text-center">
      <title>{tSite('titleOfPage', { page: t('title') })}</title>
      <h1 className="text-2xl font-semibold outline-none" ref={title} tabIndex={-1}>
        {t('title')}
      </h1>
      <p className="mx-auto mt-3 max-w-[48ch] text-muted">{t('text')}</p>
      {digest ? (
        <p className="mt-3 text-sm text-muted">
          {t.rich('reference', { digest: () => <span className="font-mono">{digest}</span> })}
        </p>
      ) : null}
      <div className="mt-7 flex flex-wrap justify-center gap-3">
        <Button onClick={() => window.location.reload()} tone="primary">
          {t('retry')}
        </Button>
        <a className="text-link inline-flex min-h-10 items-center px-2 text-sm" href="/">
          {t('home')}
        </a>
      </div>
    </div>
  );
}
