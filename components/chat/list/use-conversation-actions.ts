import { useTranslations } from 'next-intl';
import { useCallback, useMemo } from 'react';
import type { ChangeConversation, ConversationView } from '../../../lib/chat/schema';
import { announce } from '../../ui/overlays/announcer';
import { isEditingElsewhere } from '../../ui/overlays/focus';
import { toast } from '../../ui/overlays/toast';
import { changeConversation, deleteConversation } from '../state/api';
import { useProblem } from '../state/use-problem';

export interface ConversationActions {
  pin: (conversation: ConversationView, pinned: boolean) => Promise<void>;
  /** Archives or restores a conversation; its confirmation has an undo action. */
  archive: (conversation: ConversationView, archived: boolean) => Promise<void>;
  /** Deletes a conversation; its confirmation has an undo action. Returns false if it failed. */
  remove: (conversation: ConversationView) => Promise<boolean>;
  /** Restores a deleted conversation. */
  restore: (conversation: ConversationView) => Promise<void>;
  /** Reloads the list. */
  refresh: () => Promise<unknown>;
}

/**
 * Returns the functions that pin, archive, delete and restore conversations of a list. They keep the focus on the row.
 */
export function useConversationActions(refresh: () => Promise<unknown>): ConversationActions {
  const t = useTranslations('chat.conversationActions');
  const problemOf = useProblem();

  const save = useCallback(
    async (work: () => Promise<unknown>): Promise<boolean> => {
      try {
        await work();
        return true;
      } catch (error) {
        toast({ tone: 'danger', text: t('notSaved', { problem: problemOf(error) }) });
        return false;
      }
    },
    [problemOf, t],
  );
  const change = useCallback(
    async (id: string, changes: ChangeConversation): Promise<boolean> => {
      if (!(await save(() => changeConversation(id, changes)))) return false;
      await refresh();
      return true;
    },
    [refresh, save],
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
          text: t(archived ? 'archived' : 'unarchived', { title }),
          action: {
            label: t('undo'),
            run: () =>
              void change(id, archived ? { archived: false, pinned } : { archived: true }).then(() => focusRow(id)),
          },
        });
      },
      async remove({ id, title, pinned }) {
        if (!(await save(() => deleteConversation(id)))) return false;
        navigator.serviceWorker?.controller?.postMessage({ removed: id });
        // Not awaited, because the dialog must close and return the focus while its row still exists.
        void refresh();
        const run = (): void => void change(id, { deleted: false, ...(pinned && { pinned }) }).then(() => focusRow(id));
        toast({ tone: 'good', text: t('deleted', { title }), action: { label: t('undo'), run } });
        return true;
      },
      async restore({ id, title }) {
        if (await change(id, { deleted: false })) toast({ tone: 'good', text: t('restored', { title }) });
      },
    }),
    [change, refresh, save, t],
  );
}

/** Focuses the menu button of a row that moved to another section, unless the user has continued elsewhere. */
function focusRow(id: string): void {
  requestAnimationFrame(() => {
    if (isEditingElsewhere(null)) return;
    const row = [...document.querySelectorAll(`[data-conversation="${CSS.escape(id)}"]`)].find((one) =>
      one.checkVisibility(),
    );
    row?.querySelector('button')?.focus();
  });
}
