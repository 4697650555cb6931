import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { EmptyState } from '../../ui/display/card';

/** The page for a URL that does not exist or that this user may not see, without distinction. */
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

/** The reason why an agent is unavailable: withdrawn by its owner, or removed by moderators. */
export type UnavailableReason = 'withdrawn' | 'removed';

/** The page of an agent that is no longer listed. */
export function UnavailableView({ why }: { why: UnavailableReason }): ReactNode {
  const t = useTranslations('market.goneView');
  const title = t(`${why}.title`);
  return (
    <div className="page-x py-16">
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        action={
          <LinkButton href={routes.catalog} tone="primary">
            {t('browse')}
          </LinkButton>
        }
        title={title}
      >
        {t(`${why}.text`)}
      </EmptyState>
    </div>
  );
}
