import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { ForeignLink } from '../ui/foreign-link';
import { formatDate } from '../ui/format-date';
import { MediaModes } from './media-modes';

/** What the listing states, in one column: publisher, versions, dates, what goes in and what comes out. */
export function AgentFacts({ agent }: { agent: AgentDetail }): ReactNode {
  const { publisher, provider } = agent;
  return (
    <dl className="grid grid-cols-2 gap-x-5 gap-y-4 text-sm sm:grid-cols-3 lg:grid-cols-1">
      <Fact name="Publisher">
        <bdi>{publisher.name}</bdi>
        <span className="block text-muted">
          {publisher.listings === 1 ? 'This is its one agent here' : `${publisher.listings} agents on Parley`}
        </span>
      </Fact>
      {provider ? (
        <Fact name="Run by, says the card">
          <bdi>{provider.organization}</bdi>
          {provider.url ? (
            <span className="block">
              <ForeignLink href={provider.url} />
            </span>
          ) : null}
        </Fact>
      ) : null}
      <Fact name="Version">
        <span className="font-mono text-xs">{agent.version}</span>
      </Fact>
      <Fact name="Protocol">A2A {agent.protocolVersion}</Fact>
      <Fact name="Accepts">
        <MediaModes modes={agent.inputModes} />
      </Fact>
      <Fact name="Answers with">
        <MediaModes modes={agent.outputModes} />
      </Fact>
      {agent.documentationUrl ? (
        <Fact name="Documentation">
          <ForeignLink href={agent.documentationUrl} />
        </Fact>
      ) : null}
      <Fact name="Card updated">
        <time dateTime={agent.updatedAt}>{formatDate(agent.updatedAt)}</time>
      </Fact>
      <Fact name="Listed">
        <time dateTime={agent.createdAt}>{formatDate(agent.createdAt)}</time>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className="mt-0.5">{children}</dd>
    </div>
  );
}
