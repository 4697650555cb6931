import type { ReactNode } from 'react';
import { routes } from '../shell/routes';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';

/** Where a withdrawn agent was. */
export function GoneView(): ReactNode {
  return (
    <div className="page-x py-16">
      <h1 className="sr-only">Agent withdrawn</h1>
      <EmptyState
        action={
          <LinkButton href={routes.catalogue} tone="primary">
            Browse other agents
          </LinkButton>
        }
        title="This agent was withdrawn"
      >
        Its owner took it off Parley, and calls to it are refused. Conversations you had with it stay in your history.
      </EmptyState>
    </div>
  );
}
