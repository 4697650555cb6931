'use client';

import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, useId } from 'react';
import type { ConversationView } from '../../lib/chat/schema';
import { type ConversationGroup, groupConversations } from './chat-time';
import { ConversationRow } from './conversation-row';
import { useClock } from './use-clock';
import type { ConversationActions } from './use-conversation-actions';

export interface ConversationGroupsProps {
  conversations: readonly ConversationView[];
  actions: ConversationActions;
  /** One list without sections, as for search results. */
  flat: boolean;
  /** Further items at the end. */
  children: ReactNode;
}

/** Conversations in sections by day. */
export function ConversationGroups({ conversations, actions, flat, children }: ConversationGroupsProps): ReactNode {
  const t = useTranslations('chat.conversationList');
  const locale = useLocale();
  const clock = useClock();
  const rowsOf = (items: readonly ConversationView[]): ReactNode =>
    items.map((conversation) => (
      <ConversationRow actions={actions} conversation={conversation} key={conversation.id} />
    ));
  return (
    <ul aria-label={t('list')} className={flat ? 'space-y-0.5' : 'space-y-3'}>
      {flat
        ? rowsOf(conversations)
        : groupConversations(conversations, clock, locale).map((group) => (
            <Section group={group} key={group.key}>
              {rowsOf(group.items)}
            </Section>
          ))}
      {children}
    </ul>
  );
}

function Section({ group, children }: { group: ConversationGroup<unknown>; children: ReactNode }): ReactNode {
  const t = useTranslations('chat.conversationList.groups');
  const id = useId();
  return (
    <li>
      <h2 className="px-2.5 pb-1 text-xs font-medium text-muted" id={id}>
        {group.heading === 'month' ? group.month : t(group.heading)}
      </h2>
      <ul aria-labelledby={id} className="space-y-0.5">
        {children}
      </ul>
    </li>
  );
}
