'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { SearchHit } from '../../lib/chat/schema';
import { Moment } from '../ui/moment';
import { conversationPath } from './paths';

export interface SearchHitsProps {
  hits: SearchHit[];
  more: boolean;
  /** All are of one conversation, which needs no name. */
  ofOne?: boolean;
  /** One was chosen. */
  onOpen?: () => void;
}

/** Messages that a search found, each a link to where it was said. */
export function SearchHits({ hits, more, ofOne = false, onOpen }: SearchHitsProps): ReactNode {
  return (
    <ul aria-label="Messages found" className="space-y-0.5">
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
                {ofOne ? null : <span className="font-medium text-ink">{conversation.title}</span>}
                {ofOne ? '' : ', '}
                {role === 'user' ? 'you' : <bdi>{conversation.agent.name}</bdi>}
              </span>
              <Moment at={at} />
            </span>
            <span className="mt-0.5 line-clamp-3 [overflow-wrap:anywhere]" dir="auto">
              {excerpt.before}
              <mark className="rounded-sm bg-warn-soft px-0.5 text-ink">{excerpt.match}</mark>
              {excerpt.after}
            </span>
          </Link>
        </li>
      ))}
      {more ? <li className="px-2.5 py-2 text-xs text-muted">There are more. Add a word to find fewer.</li> : null}
    </ul>
  );
}
