import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import type { CardState } from '@/lib/catalog/schema-cards';
import { Alert } from '../ui/display/alert';
import { useFormat } from '../ui/display/format';
import { RestoreAgent } from './restore-agent';

interface AgentStateNotesProps {
  agent: OwnAgent;
  /** The reason why the card cannot be fetched, and the time of the first failure. */
  failing: CardState['failing'];
}

/**
 * The conditions that prevent the agent from working as listed: a suspension, a withdrawal or a card that cannot be
 * read.
 */
export function AgentStateNotes({ agent, failing }: AgentStateNotesProps): ReactNode {
  const t = useTranslations('console.agentOverview');
  const format = useFormat();
  if (agent.status !== 'suspended' && agent.status !== 'withdrawn' && !failing) return null;
  return (
    <div className="mb-8 space-y-4">
      {agent.status === 'suspended' ? (
        <Alert title={t('suspended')} tone="danger">
          {t('suspendedNote')}
        </Alert>
      ) : null}
      {agent.status === 'withdrawn' ? (
        <Alert title={t('withdrawn')}>
          <p>{t('withdrawnNote')}</p>
          {agent.role === 'owner' ? <RestoreAgent slug={agent.slug} /> : null}
        </Alert>
      ) : null}
      {failing ? (
        <Alert title={t('failing')} tone="warn">
          <p>
            {t.rich('failingSince', {
              since: format.date(failing.since, 'moment'),
              time: (since) => <time dateTime={failing.since}>{since}</time>,
            })}
          </p>
          <p className="break-words">{failing.reason}</p>
        </Alert>
      ) : null}
    </div>
  );
}
