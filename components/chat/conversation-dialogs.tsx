'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import { MAX_TITLE_LENGTH } from '../../lib/chat/limits';
import type { ConversationView } from '../../lib/chat/schema';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { Dialog, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { deleteConversation, renameConversation } from './api';
import { useProblem } from './use-problem';

export interface ConversationDialogProps {
  conversation: ConversationView;
  /** The conversation is the current page. */
  isCurrent: boolean;
  onChanged: () => void;
  onClose: () => void;
}

/** Renames a conversation. */
export function RenameDialog({ conversation, isCurrent, onChanged, onClose }: ConversationDialogProps): ReactNode {
  const t = useTranslations('chat.conversationDialogs');
  const problemOf = useProblem();
  const [title, setTitle] = useState(conversation.title);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const router = useRouter();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (title.trim() === '') return setError(t('titleNeeded'));
    setPending(true);
    try {
      await renameConversation(conversation.id, title.trim());
      onChanged();
      onClose();
      if (isCurrent) router.refresh();
    } catch (failure) {
      setPending(false);
      setError(problemOf(failure));
    }
  }

  return (
    <Dialog onOpenChange={onClose} open title={t('rename')}>
      <form className="space-y-5 pt-1" onSubmit={submit}>
        <Field error={error} id="conversation-title" label={t('titleLabel')} required>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={MAX_TITLE_LENGTH}
              onChange={(event) => setTitle(event.target.value)}
              value={title}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>{t('cancel')}</Button>
          </DialogClose>
          <Button pending={pending} tone="primary" type="submit">
            {t('renameNow')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Confirms the deletion of a conversation. */
export function DeleteDialog({ conversation, isCurrent, onChanged, onClose }: ConversationDialogProps): ReactNode {
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
