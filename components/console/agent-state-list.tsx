import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AgentStatus, Visibility } from '@/lib/catalog/schema';
import type { AgentState } from '@/lib/console/schema';
import { ownAgentPath, routes } from '../shell/routes';
import { Avatar } from '../ui/avatar';
import { Badge, type BadgeTone } from '../ui/badge';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { formatDate } from '../ui/format-date';
import { LinkButton } from '../ui/link-button';

const statusTones: Record<AgentStatus, BadgeTone> = {
  active: 'good',
  deprecated: 'warn',
  suspended: 'danger',
  withdrawn: 'neutral',
};

const visibilityTexts: Record<Visibility, string> = {
  public: 'Everyone can find it',
  unlisted: 'Callable by who knows its name',
  private: 'Only you can see it',
};

/** The person's listings, with state and latest failure. */
export function AgentStateList({ states }: { states: AgentState[] }): ReactNode {
  if (states.length === 0) {
    return (
      <EmptyState
        action={
          <LinkButton href={routes.listAgent} tone="primary">
            List an agent
          </LinkButton>
        }
        title="You have listed no agent yet"
      >
        Any agent that speaks A2A can be listed by its address. It stays where it runs.
      </EmptyState>
    );
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {states.map((state) => (
          <AgentRow key={state.agent.slug} state={state} />
        ))}
      </ul>
    </Card>
  );
}

function AgentRow({ state: { agent, lastFailure } }: { state: AgentState }): ReactNode {
  return (
    <li className="relative flex gap-4 p-5 hover:bg-sunken">
      <Avatar name={agent.name} seed={agent.slug} size={44} />
      <div className="min-w-0 space-y-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link className="font-medium after:absolute after:inset-0" href={ownAgentPath(agent.slug)}>
            <bdi>{agent.name}</bdi>
          </Link>
          <Badge tone={statusTones[agent.status]}>{agent.status}</Badge>
        </p>
        <p className="text-sm text-muted">
          {visibilityTexts[agent.visibility]} · version {agent.version} · updated{' '}
          <time dateTime={agent.updatedAt}>{formatDate(agent.updatedAt)}</time>
        </p>
        {lastFailure ? (
          <p className="text-sm text-danger">
            Last failed <time dateTime={lastFailure.at}>{formatDate(lastFailure.at)}</time>: {lastFailure.message}
          </p>
        ) : (
          <p className="text-sm text-good">No failed calls</p>
        )}
        {agent.appId === null ? (
          <p className="text-sm text-warn">No developer app: this agent cannot ask who is calling.</p>
        ) : null}
      </div>
    </li>
  );
}
