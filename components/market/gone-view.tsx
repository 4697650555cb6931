import type { ReactNode } from 'react';
import { routes } from '../shell/routes';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';

/** Why an agent is gone: its owner withdrew it, or moderators took it down. */
export type GoneReason = 'withdrawn' | 'removed';

const words: Record<GoneReason, { title: string; text: string }> = {
  withdrawn: {
    title: 'This agent was withdrawn',
    text: 'Its owner took it off Parley, and calls to it are refused. Conversations you had with it stay in your history.',
  },
  removed: {
    title: 'Parley has taken this agent down',
    text: 'It broke the rules of this place, and calls to it are refused. Conversations you had with it stay in your history.',
  },
};

/** Where an agent was. */
export function GoneView({ why }: { why: GoneReason }): ReactNode {
  const { title, text } = words[why];
  return (
    <div className="page-x py-16">
      <h1 className="sr-only">{title}</h1>
      <EmptyState
        action={
          <LinkButton href={routes.catalogue} tone="primary">
            Browse other agents
          </LinkButton>
        }
        title={title}
      >
        {text}
      </EmptyState>
    </div>
  );
}
