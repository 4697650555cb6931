'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useRef, useState } from 'react';
import { MAX_TITLE_SEARCH_LENGTH } from '../../../lib/chat/limits';
import type { ConversationPage } from '../../../lib/chat/schema';
import { Input } from '../../forms/inputs';
import { usePrehydrationValue } from '../../forms/use-initial-text';
import { routes } from '../../routes';
import { Button, LinkButton } from '../../ui/controls/button';
import { Skeleton } from '../../ui/controls/loading';
import { ArchiveIcon, ArrowLeftIcon, ComposeIcon, TrashIcon } from '../../ui/display/action-icons';
import { Alert } from '../../ui/display/alert';
import { SearchIcon } from '../../ui/display/icons';
import type { ConversationListFilter } from '../state/api';
import { ConversationGroups } from './conversation-row';
import { DeletedConversations } from './deleted-conversations';
import { SearchHits, useSearch } from './search-hits';
import { useConversationActions } from './use-conversation-actions';
import { useConversationList } from './use-conversation-list';

export interface ConversationListProps {
  /** First page, sent with the HTML. */
  initialPage?: ConversationPage;
  /** Distinguishes two lists on the same page. */
  idPrefix: string;
}

/** The user's conversations, by day: search, pin, rename, archive, delete. */
export function ConversationList({ initialPage, idPrefix }: ConversationListProps): ReactNode {
  const t = useTranslations('chat.conversationList');
  const [search, setSearch] = useState('');
  const [view, setView] = useState<ConversationListFilter['view']>('all');
  const field = useRef<HTMLInputElement>(null);
  usePrehydrationValue(field, setSearch);
  const query = search.trim();
  const { result, loading: searching, failed: searchFailed } = useSearch(query, null);
  const filter = { search: query, view };
  const { items, hasMore, loading, failed, loadMore, refresh } = useConversationList(filter, initialPage);
  const actions = useConversationActions(refresh);
  const found = view === 'deleted' ? [] : (result?.hits ?? []);
  const hits = found.filter(({ conversation }) => view !== 'archived' || conversation.archived);
  const searchId = `${idPrefix}-search`;
  const more = hasMore ? (
    <li className="pt-1">
      <Button className="w-full" onClick={loadMore} size="sm" tone="quiet">
        {t('more')}
      </Button>
    </li>
  ) : null;
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <LinkButton className="shrink-0" href={routes.catalog} icon={<ComposeIcon size={16} />} prefetch={false}>
        {t('new')}
      </LinkButton>
      <div className="relative shrink-0">
        <label className="sr-only" htmlFor={searchId}>
          {t('search')}
        </label>
        <SearchIcon className="pointer-events-none absolute top-1/2 start-3 -translate-y-1/2 text-muted" size={16} />
        <Input
          autoComplete="off"
          className="ps-9"
          id={searchId}
          maxLength={MAX_TITLE_SEARCH_LENGTH}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || search === '') return;
            event.preventDefault();
            setSearch('');
          }}
          placeholder={t('search')}
          ref={field}
          type="search"
          value={search}
        />
      </div>
      {failed || searchFailed ? (
        <Alert tone="danger">
          {t.rich('failed', {
            again: (chunks) => (
              <Button onClick={() => void refresh()} size="sm">
                {chunks}
              </Button>
            ),
          })}
        </Alert>
      ) : null}
      {loading && items.length === 0 ? <LoadingRows /> : null}
      <p className="px-2.5 py-2 text-sm text-muted empty:hidden" role="status">
        {loading || failed || searching ? null : (
          <EmptyText hits={hits.length} titles={items.length} view={view} words={query} />
        )}
      </p>
      <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 pb-1">
        {query && items.length > 0 ? (
          <h2 className="px-2.5 pb-1 text-xs font-medium text-muted">{t('inTitles')}</h2>
        ) : null}
        {view === 'deleted' ? (
          <DeletedConversations actions={actions} conversations={items}>
            {more}
          </DeletedConversations>
        ) : (
          <ConversationGroups actions={actions} conversations={items} flat={query !== '' || view === 'archived'}>
            {more}
          </ConversationGroups>
        )}
        {query && result && hits.length > 0 ? (
          <>
            <h2 className="px-2.5 pt-4 pb-1 text-xs font-medium text-muted">{t('inMessages')}</h2>
            <SearchHits hits={hits} more={result.more} />
          </>
        ) : null}
      </div>
      <ViewSwitch onChange={setView} view={view} />
    </div>
  );
}

interface ViewSwitchProps {
  view: ConversationListFilter['view'];
  onChange: (view: ConversationListFilter['view']) => void;
}

/** Links to the archived and the deleted conversations, and back. */
function ViewSwitch({ view, onChange }: ViewSwitchProps): ReactNode {
  const t = useTranslations('chat.conversationList');
  const button = (target: ConversationListFilter['view'], icon: ReactNode): ReactNode => (
    <Button className="justify-start" icon={icon} onClick={() => onChange(target)} size="sm" tone="quiet">
      {t(target)}
    </Button>
  );
  if (view !== 'all') return <div className="flex shrink-0">{button('all', <ArrowLeftIcon size={16} />)}</div>;
  return (
    <div className="flex shrink-0 flex-wrap justify-between">
      {button('archived', <ArchiveIcon size={16} />)}
      {button('deleted', <TrashIcon size={16} />)}
    </div>
  );
}

interface EmptyTextProps {
  words: string;
  view: ConversationListFilter['view'];
  titles: number;
  hits: number;
}

function EmptyText({ words, view, titles, hits }: EmptyTextProps): ReactNode {
  const t = useTranslations('chat.conversationList');
  if (words === '') return titles === 0 ? t(emptyTexts[view]) : null;
  return titles + hits === 0 ? t('nothingFound') : null;
}

const emptyTexts = { all: 'none', archived: 'noneArchived', deleted: 'noneDeleted' } as const;

function LoadingRows(): ReactNode {
  const t = useTranslations('chat.conversationList');
  return (
    <div className="space-y-3 px-2.5 py-2" role="status">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="h-4 w-3/5" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  );
}
