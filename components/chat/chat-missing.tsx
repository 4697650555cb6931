import type { ReactNode } from 'react';
import { routes } from '../shell/routes';
import { mainId } from '../shell/skip-link';
import { LinkButton } from '../ui/link-button';

/** A conversation or an agent that is not there, or not for this person. */
export function ChatMissing(): ReactNode {
  return (
    <main className="flex min-w-0 flex-1 flex-col overflow-y-auto p-6 outline-none" id={mainId} tabIndex={-1}>
      <div className="m-auto max-w-[46ch] text-center">
        <h1 className="text-2xl font-semibold">There is nothing to talk to here</h1>
        <p className="mt-3 text-muted">
          The conversation was deleted, the agent is gone, or the address is wrong. Look for it in your conversations,
          or find the agent anew.
        </p>
        <div className="mt-6 flex flex-wrap justify-center gap-3">
          <LinkButton href={routes.chat} prefetch={false}>
            Your conversations
          </LinkButton>
          <LinkButton href={routes.catalogue} prefetch={false} tone="primary">
            Find an agent
          </LinkButton>
        </div>
      </div>
    </main>
  );
}
