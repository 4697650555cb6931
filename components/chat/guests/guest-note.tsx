'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { keepPath, signInPath } from '../../routes';
import { LinkButton } from '../../ui/controls/button';

export interface GuestNoteProps {
  conversationId: string | null;
  /** Null before the first message. */
  turnsLeft: number | null;
}

/** The messages that a visitor without an account has left, and the way to keep the conversation. */
export function GuestNote({ conversationId, turnsLeft }: GuestNoteProps): ReactNode {
  const t = useTranslations('chat.guestNote');
  if (conversationId === null) {
    return <p className="mx-auto mb-2 w-full max-w-[46rem] px-1 text-sm text-muted">{t('free')}</p>;
  }
  return (
    <div className="mx-auto mb-2 flex w-full max-w-[46rem] flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-surface px-4 py-2 text-sm">
      <p className="min-w-48 flex-1">{turnsLeft === 0 ? t('used') : t('left', { count: turnsLeft ?? 0 })}</p>
      <LinkButton
        href={signInPath(keepPath(conversationId), 'signUp')}
        size="sm"
        tone={turnsLeft === 0 ? 'primary' : 'secondary'}
      >
        {t('keep')}
      </LinkButton>
    </div>
  );
}
