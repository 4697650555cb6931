'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import useSWR from 'swr';
import { Button } from '../ui/controls/button';
import { DateTime } from '../ui/display/date-time';
import { toast } from '../ui/overlays/toast';
import { readShares, revokeShare } from './api';
import { useProblem } from './use-problem';

/** Cache key of a conversation's links. */
export function sharesKey(conversationId: string): string {
  return `shares ${conversationId}`;
}

/** A conversation's links, each with a way to revoke it. */
export function ShareList({ conversationId }: { conversationId: string }): ReactNode {
  const t = useTranslations('chat.shareList');
  const problemOf = useProblem();
  const { data, mutate } = useSWR(sharesKey(conversationId), () => readShares(conversationId));
  const items = data?.items ?? [];
  if (items.length === 0) return null;

  async function revoke(id: string): Promise<void> {
    try {
      await revokeShare(id);
      toast({ tone: 'good', text: t('revoked') });
    } catch (error) {
      toast({ tone: 'danger', text: t('notRevoked', { problem: problemOf(error, t('tryAgain')) }) });
    }
    await mutate();
  }

  return (
    <section aria-label={t('label')} className="space-y-2">
      <h3 className="text-sm font-medium">{t('title')}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {items.map(({ id, createdAt, tasks }) => (
          <li className="flex items-center gap-3 px-3 py-2 text-sm" key={id}>
            <span className="min-w-0 flex-1">
              {t.rich('made', { when: () => <DateTime at={createdAt} /> })}
              <span className="block text-xs text-muted">{t('messages', { count: tasks })}</span>
            </span>
            <Button onClick={() => void revoke(id)} size="sm" tone="danger">
              {t('revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
