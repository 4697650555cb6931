import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import type { CardState } from '@/lib/catalog/schema-cards';
import { CapabilityBadge } from '../market/capability';
import { Alert } from '../ui/alert';
import { Card } from '../ui/card';
import { CopyButton } from '../ui/copy-button';
import { formatTime } from '../ui/format-date';
import { Fact, FactList, Literal } from './fact-list';
import { RestoreAgent } from './restore-agent';
import { StatusBadge } from './status-badge';

interface AgentOverviewProps {
  agent: OwnAgent;
  /** Since when and why the card cannot be fetched. */
  failing: CardState['failing'];
}

/** The agent's URLs, at Parley and its own, and the capabilities of its card. */
export function AgentOverview({ agent, failing }: AgentOverviewProps): ReactNode {
  const t = useTranslations('console.agentOverview');
  return (
    <div className="space-y-5">
      <StateNote agent={agent} />
      {failing ? (
        <Alert title={t('failing')} tone="warn">
          <p>
            {t.rich('failingSince', {
              since: formatTime(failing.since),
              time: (since) => <time dateTime={failing.since}>{since}</time>,
            })}
          </p>
          <p className="break-words">{failing.reason}</p>
        </Alert>
      ) : null}
      <Card className="p-5">
        <FactList>
          <Fact name={t('state')}>
            <span className="flex flex-wrap gap-1.5">
              <StatusBadge status={agent.status} />
              {agent.badges.map((badge) => (
                <CapabilityBadge capability={badge} key={badge} />
              ))}
            </span>
          </Fact>
          <Fact name={t('address')}>
            <Literal>{agent.url}</Literal>
            <CopyButton className="-my-1 ms-1 align-middle" text={agent.url} what={t('addressToCopy')} />
          </Fact>
          <Fact name={t('ownAddress')}>
            {agent.connection === 'hub' ? t('connects') : <Literal>{agent.registeredUrl}</Literal>}
          </Fact>
          <Fact name={t('version')}>{agent.version}</Fact>
          <Fact name={t('changed')}>
            <time dateTime={agent.updatedAt}>{formatTime(agent.updatedAt)}</time>
          </Fact>
        </FactList>
      </Card>
    </div>
  );
}

function StateNote({ agent }: { agent: OwnAgent }): ReactNode {
  const t = useTranslations('console.agentOverview');
  if (agent.status === 'suspended') {
    return (
      <Alert title={t('suspended')} tone="danger">
        {t('suspendedNote')}
      </Alert>
    );
  }
  if (agent.status !== 'withdrawn') return null;
  return (
    <Alert title={t('withdrawn')}>
      <p>{t('withdrawnNote')}</p>
      {agent.role === 'owner' ? <RestoreAgent slug={agent.slug} /> : null}
    </Alert>
  );
}
