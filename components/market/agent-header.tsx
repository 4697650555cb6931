import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { type AgentDetail, isCallable, type PresenceView } from '@/lib/catalog/schema';
import type { AgentRanking } from '@/lib/discovery/schema-rankings';
import { appealPath, newChatPath, publisherPath, routes } from '../routes';
import { LinkButton } from '../ui/controls/button';
import { Alert } from '../ui/display/alert';
import { ArrowRightIcon } from '../ui/display/icons';
import { AgentIcon } from './agent-icon';
import { CapabilityBadges, ListingBadges } from './capability';
import { DemoBadge } from './demo-badge';
import { HealthBadge } from './health-badge';
import { LookAlikeNote } from './look-alike-note';
import { PresenceBadge } from './presence-badge';
import { SaveAgent } from './save-agent';

export interface AgentHeaderProps {
  agent: AgentDetail;
  /** Id of the moderation case in which the agent was removed, for the owner's appeal; null otherwise. */
  caseId: string | null;
  standing: AgentRanking;
  /** Null for an agent with its own URL. */
  presence: PresenceView | null;
  signedIn: boolean;
}

/** The agent's name, publisher, state and capabilities, and the button to talk to it. */
export function AgentHeader({ agent, caseId, standing, presence, signedIn }: AgentHeaderProps): ReactNode {
  const t = useTranslations('market.agentHeader');
  const callable = isCallable(agent.status);
  return (
    <header>
      <Link
        className="inline-flex min-h-8 items-center gap-1.5 text-sm text-muted hover:text-ink hover:underline touch:min-h-11"
        href={routes.catalog}
        prefetch={false}
      >
        <ArrowRightIcon className="rotate-180" size={15} />
        {t('allAgents')}
      </Link>
      <div className="mt-3 flex flex-wrap items-start gap-x-5 gap-y-4">
        <AgentIcon agent={agent} size={72} />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-3xl font-semibold" dir="auto">
            {agent.name}
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-1.5 text-muted">
            <Publisher publisher={agent.publisher} />
            <span aria-hidden="true">/</span>
            <span className="font-mono text-sm [overflow-wrap:anywhere]">{agent.slug}</span>
          </p>
          <div className="mt-2.5 flex flex-wrap gap-1.5">
            {presence ? (
              <PresenceBadge presence={presence} />
            ) : (
              <HealthBadge health={standing.health} isUnderMaintenance={standing.rung !== 'listed'} />
            )}
            {standing.hasDemoData ? <DemoBadge /> : null}
            <ListingBadges status={agent.status} visibility={agent.visibility} />
            <CapabilityBadges capabilities={agent.badges} />
          </div>
        </div>
        <div className="flex gap-2 max-sm:w-full">
          <SaveAgent name={agent.name} signedIn={signedIn} slug={agent.slug} />
          {callable ? (
            <LinkButton className="max-sm:flex-1" href={newChatPath(agent.slug)} size="lg" tone="primary">
              {t('chat')}
            </LinkButton>
          ) : null}
        </div>
      </div>
      {agent.looksLike ? <LookAlikeNote original={agent.looksLike} /> : null}
      <StatusNote agent={agent} caseId={caseId} />
    </header>
  );
}

function Publisher({ publisher: { name, handle } }: Pick<AgentDetail, 'publisher'>): ReactNode {
  if (handle === null) return <bdi className="text-ink">{name}</bdi>;
  return (
    <Link className="text-link" href={publisherPath(handle)} prefetch={false}>
      <bdi>{name}</bdi>
    </Link>
  );
}

const tones = { deprecated: 'warn', suspended: 'danger', withdrawn: 'danger' } as const;

function StatusNote({ agent, caseId }: Pick<AgentHeaderProps, 'agent' | 'caseId'>): ReactNode {
  const t = useTranslations('market.agentHeader');
  if (agent.status === 'active') return null;
  return (
    <Alert className="mt-5" title={t(`status.${agent.status}.title`)} tone={tones[agent.status]}>
      <p>{t(`status.${agent.status}.text`)}</p>
      {caseId ? (
        <LinkButton className="mt-3" href={appealPath(caseId)} size="sm">
          {t('readWhy')}
        </LinkButton>
      ) : null}
    </Alert>
  );
}
