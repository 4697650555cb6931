'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { MAX_QUERY_LENGTH } from '../../../lib/chat/limits';
import { Input } from '../../forms/inputs';
import { Dialog } from '../../ui/overlays/dialog';
import { SearchHits, useSearch } from '../list/search-hits';

/** Searches the messages of one conversation. */
export function FindDialog({ conversationId, onClose }: { conversationId: string; onClose: () => void }): ReactNode {
  const t = useTranslations('chat.findDialog');
  const [text, setText] = useState('');
  const query = text.trim();
  const { result, loading, failed } = useSearch(query, conversationId);
  return (
    <Dialog onOpenChange={onClose} open title={t('title')}>
      <div className="space-y-3 pt-1">
        <Input
          aria-label={t('words')}
          autoComplete="off"
          autoFocus
          maxLength={MAX_QUERY_LENGTH}
          onChange={(event) => setText(event.target.value)}
          placeholder={t('words')}
          type="search"
          value={text}
        />
        <p className="text-sm text-muted empty:hidden" role="status">
          {failed ? t('failed') : null}
          {query && !loading && result?.hits.length === 0 ? t('nothing') : null}
          {query && !loading && result && result.hits.length > 0 ? t('found', { count: result.hits.length }) : null}
        </p>
        {query && result && result.hits.length > 0 ? (
          <SearchHits {...result} singleConversation onOpen={onClose} />
        ) : null}
      </div>
    </Dialog>
  );
}
