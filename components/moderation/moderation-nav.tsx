import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { moderationPaths, routes } from '../routes';
import { NavLink } from '../shell/current-path';

/** Navigation of the moderators' pages. */
export function ModerationNav(): ReactNode {
  const t = useTranslations('moderation.moderationNav');
  return (
    <nav aria-label={t('label')} className="mb-6 flex gap-1 border-b border-line pb-2">
      <NavLink href={routes.moderation} within={`${routes.moderation}/cases`}>
        {t('cases')}
      </NavLink>
      <NavLink href={moderationPaths.activity}>{t('activity')}</NavLink>
      <NavLink href={moderationPaths.blockedClients}>{t('blockedClients')}</NavLink>
    </nav>
  );
}
