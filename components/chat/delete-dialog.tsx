'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { ConversationView } from '../../lib/chat/schema';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { Dialog, DialogClose } from '../ui/dialog';
import { toast } from '../ui/toast';
import { deleteConversation } from './api';
import { useProblem } from './use-problem';

export interface DeleteDialogProps {
  conversation: ConversationView;
  /** The conversation is the current page. */
  isCurrent: boolean;
  onChanged: () => void;
  onClose: () => void;
}

/** Confirms the deletion of a conversation. */
export function DeleteDialog({ conversation, isCurrent, onChanged, onClose }: DeleteDialogProps): ReactNode {
  const t = useTranslations('chat.conversationDialogs');
  const problemOf = useProblem();
  const [pending, setPending] = useState(false);
  const router = useRouter();

  async function remove(): Promise<void> {
    setPending(true);
    try {
      await deleteConversation(conversation.id);
      onChanged();
      onClose();
      if (isCurrent) router.push(routes.chat);
    } catch (failure) {
      setPending(false);
      toast({ tone: 'danger', text: t('notDeleted', { problem: problemOf(failure) }) });
    }
  }

  return (
    <Dialog
      description={t.rich('deleteWhat', {
        title: () => <bdi>{conversation.title}</bdi>,
        agent: () => <bdi>{conversation.agent.name}</bdi>,
      })}
      footer={
        <>
          <DialogClose asChild>
            <Button>{t('cancel')}</Button>
          </DialogClose>
          <Button onClick={remove} pending={pending} tone="danger">
            {t('deleteNow')}
          </Button>
        </>
      }
      onOpenChange={onClose}
      open
      title={t('delete')}
    >
      {null}
    </Dialog>
  );
}
