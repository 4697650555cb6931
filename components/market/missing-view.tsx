import type { ReactNode } from 'react';
import { routes } from '../shell/routes';
import { EmptyState } from '../ui/empty-state';
import { LinkButton } from '../ui/link-button';

/** Nothing is at this address, or nothing that this person may see: the answer is the same. */
export function MissingView(): ReactNode {
  return (
    <div className="page-x py-16">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        action={
          <>
            <LinkButton href={routes.catalogue} tone="primary">
              Browse agents
            </LinkButton>
            <LinkButton href={routes.home}>Home</LinkButton>
          </>
        }
        title="There is nothing at this address"
      >
        It may have moved, or it is not open to you. Check the address, or sign in with the account that it belongs to.
      </EmptyState>
    </div>
  );
}
