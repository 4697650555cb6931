'use client';

import type { ReactNode } from 'react';
import useSWR from 'swr';
import { Button } from '../ui/button';
import { Moment } from '../ui/moment';
import { toast } from '../ui/toast';
import { ApiError, readShares, revokeShare } from './api';

/** Under which the links to a conversation are kept on this page. */
export function sharesKey(conversationId: string): string {
  return `shares ${conversationId}`;
}

/** The links to a conversation, each to be ended. */
export function ShareList({ conversationId }: { conversationId: string }): ReactNode {
  const { data, mutate } = useSWR(sharesKey(conversationId), () => readShares(conversationId));
  const items = data?.items ?? [];
  if (items.length === 0) return null;

  async function revoke(id: string): Promise<void> {
    try {
      await revokeShare(id);
      toast({ tone: 'good', text: 'The link is revoked. It leads nowhere from now on.' });
    } catch (error) {
      toast({ tone: 'danger', text: `Not revoked. ${error instanceof ApiError ? error.message : 'Try again.'}` });
    }
    await mutate();
  }

  return (
    <section aria-label="Links to this conversation" className="space-y-2">
      <h3 className="text-sm font-medium">Links that work</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {items.map(({ id, createdAt, tasks }) => (
          <li className="flex items-center gap-3 px-3 py-2 text-sm" key={id}>
            <span className="min-w-0 flex-1">
              Made <Moment at={createdAt} />
              <span className="block text-xs text-muted">
                {tasks === 1 ? '1 message and its answer' : `${tasks} messages and their answers`}
              </span>
            </span>
            <Button onClick={() => void revoke(id)} size="sm" tone="danger">
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
