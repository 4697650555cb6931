import { useTranslations } from 'next-intl';
import { useCallback, useMemo } from 'react';
import type { ChangeConversation, ConversationView } from '../../lib/chat/schema';
import { announce } from '../ui/announcer';
import { toast } from '../ui/toast';
import { changeConversation } from './api';
import { useProblem } from './use-problem';

export interface ConversationActions {
  pin: (conversation: ConversationView, pinned: boolean) => Promise<void>;
  /** Archives or restores a conversation; the message about it has an undo. */
  archive: (conversation: ConversationView, archived: boolean) => Promise<void>;
  /** Reloads the list. */
  refresh: () => Promise<unknown>;
}

/** Pins and archives conversations of a list, and keeps the focus on their row. */
export function useConversationActions(refresh: () => Promise<unknown>): ConversationActions {
  const t = useTranslations('chat.conversationActions');
  const problemOf = useProblem();

  const change = useCallback(
    async (id: string, changes: ChangeConversation): Promise<boolean> => {
      try {
        await changeConversation(id, changes);
      } catch (error) {
        toast({ tone: 'danger', text: t('notSaved', { problem: problemOf(error) }) });
        return false;
      }
      await refresh();
      return true;
    },
    [problemOf, refresh, t],
  );

  return useMemo(
    () => ({
      refresh,
      async pin({ id, title }, pinned) {
        if (!(await change(id, { pinned }))) return;
        announce(t(pinned ? 'pinned' : 'unpinned', { title }));
        focusRow(id);
      },
      async archive({ id, title, pinned }, archived) {
        if (!(await change(id, { archived }))) return;
        toast({
          tone: 'good',
          text: t(archived ? 'archived' : 'restored', { title }),
          action: {
            label: t('undo'),
            run: () =>
              void change(id, archived ? { archived: false, pinned } : { archived: true }).then(() => focusRow(id)),
          },
        });
      },
    }),
    [change, refresh, t],
  );
}

/** Focuses the menu button of a row that moved to another section. */
function focusRow(id: string): void {
  requestAnimationFrame(() => {
    const row = [...document.querySelectorAll(`[data-conversation="${CSS.escape(id)}"]`)].find((one) =>
      one.checkVisibility(),
    );
    row?.querySelector('button')?.focus();
  });
}
