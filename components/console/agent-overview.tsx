import type { ReactNode } from 'react';
import type { CardState, OwnAgent } from '@/lib/catalog/schema';
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
  /** Since when and why the card cannot be had. */
  failing: CardState['failing'];
}

/** Where the agent is, at Parley and at home, and what its card promises. */
export function AgentOverview({ agent, failing }: AgentOverviewProps): ReactNode {
  return (
    <div className="space-y-5">
      <StateNote agent={agent} />
      {failing ? (
        <Alert title="Its card cannot be read" tone="warn">
          <p>
            Since <time dateTime={failing.since}>{formatTime(failing.since)}</time>. The listed card stays.
          </p>
          <p className="break-words">{failing.reason}</p>
        </Alert>
      ) : null}
      <Card className="p-5">
        <FactList>
          <Fact name="State">
            <span className="flex flex-wrap gap-1.5">
              <StatusBadge status={agent.status} />
              {agent.badges.map((badge) => (
                <CapabilityBadge capability={badge} key={badge} />
              ))}
            </span>
          </Fact>
          <Fact name="Address at Parley">
            <Literal>{agent.url}</Literal>
            <CopyButton className="-my-1 ms-1 align-middle" text={agent.url} what="the address at Parley" />
          </Fact>
          <Fact name="Its own address">
            <Literal>{agent.registeredUrl}</Literal>
          </Fact>
          <Fact name="Version">{agent.version}</Fact>
          <Fact name="Last changed">
            <time dateTime={agent.updatedAt}>{formatTime(agent.updatedAt)}</time>
          </Fact>
        </FactList>
      </Card>
    </div>
  );
}

function StateNote({ agent }: { agent: OwnAgent }): ReactNode {
  if (agent.status === 'suspended') {
    return (
      <Alert title="This agent is suspended" tone="danger">
        Calls to it are refused until the moderators lift the suspension.
      </Alert>
    );
  }
  if (agent.status !== 'withdrawn') return null;
  return (
    <Alert title="This agent is withdrawn">
      <p>Nobody can see or call it. Its owner can bring it back as it was.</p>
      {agent.role === 'owner' ? <RestoreAgent slug={agent.slug} /> : null}
    </Alert>
  );
}
