import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { agentCardPath, agentLogPath, agentSettingsPath, agentTeamPath, agentTestPath, ownAgentPath } from '../routes';
import { NavLink } from '../shell/current-path';

/** Navigation of an agent's console pages. */
export function AgentTabs({ slug }: { slug: string }): ReactNode {
  const t = useTranslations('console.agentTabs');
  const home = ownAgentPath(slug);
  return (
    <nav
      aria-label={t('label')}
      className="scroll-hint -mx-1 mb-8 flex gap-1 overflow-x-auto border-b border-line px-1 pb-2"
    >
      <NavLink href={home} within={`${home}#`}>
        {t('overview')}
      </NavLink>
      <NavLink href={agentLogPath(slug)}>{t('calls')}</NavLink>
      <NavLink href={agentTestPath(slug)}>{t('test')}</NavLink>
      <NavLink href={agentCardPath(slug)}>{t('card')}</NavLink>
      <NavLink href={agentTeamPath(slug)}>{t('team')}</NavLink>
      <NavLink href={agentSettingsPath(slug)}>{t('settings')}</NavLink>
    </nav>
  );
}
