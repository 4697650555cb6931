import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { OwnAgent } from '@/lib/catalog/schema';
import { CapabilityBadge } from '../market/listing/capability-badges';
import { CopyButton } from '../ui/controls/copy-button';
import { Card } from '../ui/display/card';
import { DateTime } from '../ui/display/date-time';
import { Fact, FactList, Literal } from '../ui/display/fact-list';
import { StatusBadge } from './status-badge';

/** The agent's URLs, at Parley and its own, and the capabilities of its card. */
export function AgentOverview({ agent }: { agent: OwnAgent }): ReactNode {
  const t = useTranslations('console.agentOverview');
  return (
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
          <DateTime at={agent.updatedAt} />
        </Fact>
      </FactList>
    </Card>
  );
}
