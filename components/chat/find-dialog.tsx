'use client';

import { type ReactNode, useState } from 'react';
import { Dialog } from '../ui/dialog';
import { Input } from '../ui/input';
import { SearchHits } from './search-hits';
import { useSearch } from './use-search';

/** Finds any message of one conversation, however long it is. */
export function FindDialog({ conversationId, onClose }: { conversationId: string; onClose: () => void }): ReactNode {
  const [text, setText] = useState('');
  const words = text.trim();
  const { result, loading, failed } = useSearch(words, conversationId);
  return (
    <Dialog onOpenChange={onClose} open title="Find in this conversation">
      <div className="space-y-3 pt-1">
        <Input
          aria-label="Words to find"
          autoComplete="off"
          autoFocus
          maxLength={200}
          onChange={(event) => setText(event.target.value)}
          placeholder="Words to find"
          type="search"
          value={text}
        />
        <p className="text-sm text-muted empty:hidden" role="status">
          {failed ? 'The search did not answer. Change a word to try again.' : null}
          {words && !loading && result?.hits.length === 0 ? 'Nothing found.' : null}
          {words && !loading && result && result.hits.length > 0 ? `${result.hits.length} found, latest first.` : null}
        </p>
        {words && result && result.hits.length > 0 ? <SearchHits {...result} ofOne onOpen={onClose} /> : null}
      </div>
    </Dialog>
  );
}
