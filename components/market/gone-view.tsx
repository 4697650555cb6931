import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { routes } from '../shell/routes';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';

/** Why an agent is gone: its owner withdrew it, or moderators took it down. */
export type GoneReason = 'withdrawn' | 'removed';

/** Where an agent was. */
export function GoneView({ why }: { why: GoneReason }): ReactNode {
  const t = useTranslations('market.goneView');
  const title = t(`${why}.title`);
  return (
    <div className="page-x py-16">
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        action={
          <LinkButton href={routes.catalogue} tone="primary">
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
