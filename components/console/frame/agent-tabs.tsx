import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentStatus } from '@/lib/catalog/schema';
import {
  agentCardPath,
  agentLogPath,
  agentSettingsPath,
  agentTeamPath,
  agentTestPath,
  ownAgentPath,
} from '../../routes';
import { NavLink } from '../../shell/current-path';
import { Badge, type BadgeTone } from '../../ui/display/badge';

const tones: Record<AgentStatus, BadgeTone> = {
  active: 'good',
  deprecated: 'warn',
  suspended: 'danger',
  withdrawn: 'neutral',
};

/** A listing's status for its owner, even if it is active. */
export function StatusBadge({ status }: { status: AgentStatus }): ReactNode {
  const t = useTranslations('console.statusBadge');
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}

interface TabHeaderProps {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The top of a tab of an agent's console pages, below the agent's own header. */
export function TabHeader({ title, lead, actions }: TabHeaderProps): ReactNode {
  return (
    <div className="mb-5 flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        <h2 className="text-xl font-semibold">{title}</h2>
        {lead ? <p className="mt-1 max-w-prose text-muted">{lead}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </div>
  );
}

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
