'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { Need } from '@/lib/chat/schema-thread';
import { savePendingMessage } from '../../chat/state/drafts';
import { newUuid } from '../../chat/state/message-content';
import { newChatPath, resumePath } from '../../routes';
import { AgentMark } from '../../ui/display/agent-mark';

/** Jobs that an agent does at one press: the message is sent, and the page of the conversation shows the answer. */
export function HomeNeeds({ needs }: { needs: Need[] }): ReactNode {
  const t = useTranslations('market.homeNeeds');
  if (needs.length === 0) return null;
  return (
    <ul aria-label={t('title')} className="grid max-w-xl grid-cols-1 gap-2 sm:grid-cols-2">
      {needs.map((need) => (
        <li className="min-w-0" key={need.slug}>
          <a
            className="group flex min-h-14 items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2 hover:border-line-strong hover:bg-sunken"
            href={newChatPath(need.slug, need.message)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              savePendingMessage(need.slug, { messageId: newUuid(), text: need.message, files: [] });
              window.location.assign(resumePath(need.slug));
            }}
          >
            <AgentMark size={32} slug={need.slug} />
            <span className="min-w-0">
              <span className="block truncate leading-tight font-medium" dir="auto">
                {need.job}
              </span>
              <span className="block truncate text-sm text-muted" dir="auto">
                {t('message', { message: need.message })}
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
