import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../routes';
import { LinkButton } from '../ui/controls/button';
import { EmptyState } from '../ui/display/card';

/** Nothing exists at this URL, or nothing this user may see: the response is the same. */
export function NotFoundView(): ReactNode {
  const t = useTranslations('market.missingView');
  return (
    <div className="page-x py-16">
      <h1 className="sr-only">{t('label')}</h1>
      <EmptyState
        action={
          <>
            <LinkButton href={routes.catalog} tone="primary">
              {t('browse')}
            </LinkButton>
            <LinkButton href={routes.home}>{t('home')}</LinkButton>
          </>
        }
        title={t('title')}
      >
        {t('hint')}
      </EmptyState>
    </div>
  );
}
