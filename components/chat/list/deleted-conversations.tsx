import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ConversationView } from '../../../lib/chat/schema';
import { Button } from '../../ui/controls/button';
import { AgentMark } from '../../ui/display/agent-mark';
import { DateTime } from '../../ui/display/date-time';
import type { ConversationActions } from './use-conversation-actions';

export interface DeletedConversationsProps {
  conversations: readonly ConversationView[];
  actions: ConversationActions;
  /** Further items at the end. */
  children: ReactNode;
}

/** Deleted conversations that can still be restored. */
export function DeletedConversations({ conversations, actions, children }: DeletedConversationsProps): ReactNode {
  const t = useTranslations('chat.deletedConversations');
  return (
    <ul aria-label={t('list')} className="space-y-0.5">
      {conversations.map((conversation) => (
        <li className="flex min-h-12 items-center gap-2.5 px-2.5 py-1.5" key={conversation.id}>
          <AgentMark size={28} slug={conversation.agent.slug} />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm font-medium" dir="auto">
              {conversation.title}
            </span>
            <span className="block text-xs text-muted">
              {t.rich('erased', {
                time: () => (conversation.erasedAt ? <DateTime at={conversation.erasedAt} show="day" /> : null),
              })}
            </span>
          </span>
          <Button
            aria-label={t('restoreTitle', { title: conversation.title })}
            onClick={() => void actions.restore(conversation)}
            size="sm"
          >
            {t('restore')}
          </Button>
        </li>
      ))}
      {children}
    </ul>
  );
}
