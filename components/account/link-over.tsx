import type { ReactNode } from 'react';
import { Alert } from '../ui/alert';
import { LinkButton } from '../ui/link-button';

/** A link from a mail that opens nothing any more, and where to get another. */
export function LinkOver({ again }: { again: string }): ReactNode {
  return (
    <>
      <Alert title="This link is of no use any more" tone="warn">
        It is expired, was already used, or a newer password was set since. Ask for a new one.
      </Alert>
      <LinkButton href={again} tone="primary">
        Send a new link
      </LinkButton>
    </>
  );
}
