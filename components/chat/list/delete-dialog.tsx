'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { ConversationView } from '../../../lib/chat/schema';
import { routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Dialog, DialogClose } from '../../ui/overlays/dialog';

export interface DeleteDialogProps {
  conversation: ConversationView;
  /** True if the conversation is the current page. */
  isCurrent: boolean;
  /** Resolves to false if it failed, in which case the user has been notified. */
  onDelete: () => Promise<boolean>;
  onClose: () => void;
}

/** Confirms the deletion of a conversation. */
export function DeleteDialog({ conversation, isCurrent, onDelete, onClose }: DeleteDialogProps): ReactNode {
  const t = useTranslations('chat.conversationDialogs');
  const [pending, setPending] = useState(false);
  const router = useRouter();

  async function remove(): Promise<void> {
    setPending(true);
    if (!(await onDelete())) return setPending(false);
    onClose();
    if (isCurrent) router.push(routes.chat);
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
