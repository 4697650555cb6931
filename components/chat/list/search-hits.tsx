'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useState } from 'react';
import useSWR from 'swr';
import type { SearchHit, SearchResult } from '../../../lib/chat/schema';
import { conversationPath } from '../../routes';
import { DateTime } from '../../ui/display/date-time';
import { readSearch, searchUrl } from '../state/api';

/** Delay of the search after the last input, milliseconds. */
const debounceMs = 120;

interface Search {
  /** Result of the latest search; null if there is none. */
  result: SearchResult | null;
  loading: boolean;
  failed: boolean;
}

/** Messages that contain all words of `text`, in one conversation or in all. */
export function useSearch(text: string, conversationId: string | null): Search {
  const [debouncedText, setDebouncedText] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedText(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  const key = debouncedText === '' || text === '' ? null : searchUrl(debouncedText, conversationId);
  const { data, error, isLoading } = useSWR(key, readSearch, { keepPreviousData: true, revalidateOnFocus: false });
  return {
    result: key === null ? null : (data ?? null),
    loading: text !== '' && (debouncedText !== text || isLoading),
    failed: key !== null && error !== undefined,
  };
}

interface SearchHitsProps {
  hits: SearchHit[];
  more: boolean;
  /** True if all hits are in one conversation, whose name is then omitted. */
  singleConversation?: boolean;
  /** Called when a hit is chosen. */
  onOpen?: () => void;
}

/** Search results, each a link to its message. */
export function SearchHits({ hits, more, singleConversation = false, onOpen }: SearchHitsProps): ReactNode {
  const t = useTranslations('chat.searchHits');
  return (
    <ul aria-label={t('label')} className="space-y-0.5">
      {hits.map(({ conversation, branch, taskId, role, at, excerpt }) => (
        <li key={`${taskId} ${role} ${excerpt.before} ${excerpt.match} ${excerpt.after}`}>
          <Link
            className="block rounded-md px-2.5 py-2 text-sm hover:bg-sunken"
            href={conversationPath(conversation.id, { branch, at: taskId })}
            onClick={onOpen}
            prefetch={false}
          >
            <span className="flex items-baseline gap-2 text-xs text-muted">
              <span className="min-w-0 flex-1 truncate" dir="auto">
                <Speaker conversation={conversation} ofOne={singleConversation} role={role} />
              </span>
              <DateTime at={at} />
            </span>
            <span className="mt-0.5 line-clamp-3 [overflow-wrap:anywhere]" dir="auto">
              {excerpt.before}
              <mark className="rounded-sm bg-warn-soft px-0.5 text-ink">{excerpt.match}</mark>
              {excerpt.after}
            </span>
          </Link>
        </li>
      ))}
      {more ? <li className="px-2.5 py-2 text-xs text-muted">{t('more')}</li> : null}
    </ul>
  );
}

type SpeakerProps = Pick<SearchHit, 'conversation' | 'role'> & { ofOne: boolean };

/** The author of the message and its conversation. */
function Speaker({ conversation, role, ofOne }: SpeakerProps): ReactNode {
  const t = useTranslations('chat.searchHits');
  const agent = () => <bdi>{conversation.agent.name}</bdi>;
  if (ofOne) return role === 'user' ? t('you') : agent();
  return t.rich(role === 'user' ? 'saidByYou' : 'saidByAgent', {
    title: () => <span className="font-medium text-ink">{conversation.title}</span>,
    agent,
  });
}
