'use client';

import { type ReactNode, useState } from 'react';
import type { ConversationPage } from '../../lib/chat/schema';
import { routes } from '../shell/routes';
import { Alert } from '../ui/alert';
import { Button } from '../ui/button';
import { SearchIcon } from '../ui/icons';
import { Input } from '../ui/input';
import { LinkButton } from '../ui/link-button';
import { Skeleton } from '../ui/skeleton';
import { ConversationRow } from './conversation-row';
import { ComposeIcon } from './icons';
import { useConversationList } from './use-conversation-list';

export interface ConversationListProps {
  /** What the server sent with the page. */
  first?: ConversationPage;
  /** Tells two lists on one page apart. */
  idPrefix: string;
}

/** The person's conversations, latest first: to find one, to name it, to delete it. */
export function ConversationList({ first, idPrefix }: ConversationListProps): ReactNode {
  const [search, setSearch] = useState('');
  const { items, hasMore, loading, failed, loadMore, refresh } = useConversationList(search.trim(), first);
  const searchId = `${idPrefix}-search`;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <LinkButton className="shrink-0" href={routes.catalogue} icon={<ComposeIcon size={16} />} prefetch={false}>
        New conversation
      </LinkButton>
      <div className="relative shrink-0">
        <label className="sr-only" htmlFor={searchId}>
          Search conversations
        </label>
        <SearchIcon className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted" size={16} />
        <Input
          autoComplete="off"
          className="pl-9"
          id={searchId}
          maxLength={200}
          onChange={(event) => setSearch(event.target.value)}
          placeholder="Search conversations"
          type="search"
          value={search}
        />
      </div>
      {failed ? (
        <Alert tone="danger">
          The list could not be loaded.{' '}
          <Button onClick={refresh} size="sm">
            Try again
          </Button>
        </Alert>
      ) : null}
      {loading && items.length === 0 ? <LoadingRows /> : null}
      {!loading && !failed && items.length === 0 ? (
        <p className="px-2.5 py-2 text-sm text-muted">
          {search.trim() ? 'No conversation has this in its title.' : 'No conversations yet.'}
        </p>
      ) : null}
      <ul aria-label="Conversations" className="-mx-1 min-h-0 flex-1 space-y-0.5 overflow-y-auto px-1 pb-1">
        {items.map((conversation) => (
          <ConversationRow conversation={conversation} key={conversation.id} onChanged={refresh} />
        ))}
        {hasMore ? (
          <li className="pt-1">
            <Button className="w-full" onClick={loadMore} size="sm" tone="quiet">
              Show more
            </Button>
          </li>
        ) : null}
      </ul>
    </div>
  );
}

function LoadingRows(): ReactNode {
  return (
    <div className="space-y-3 px-2.5 py-2" role="status">
      <span className="sr-only">Loading conversations</span>
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
