import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { routes } from '@/components/shell/routes';
import { EmptyState } from '@/components/ui/empty-state';
import { LinkButton } from '@/components/ui/link-button';

export const metadata: Metadata = { title: 'Not found' };

export default function ConsoleNotFound(): ReactNode {
  return (
    <>
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        action={
          <LinkButton href={routes.console} tone="primary">
            Your agents
          </LinkButton>
        }
        title="You have no agent of this name"
      >
        Check the address, or sign in with the account that listed the agent.
      </EmptyState>
    </>
  );
}
