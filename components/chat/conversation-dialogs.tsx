'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { ConversationView } from '../../lib/chat/schema';
import { routes } from '../shell/routes';
import { Button } from '../ui/button';
import { Dialog, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { ApiError, deleteConversation, renameConversation } from './api';

export interface ConversationDialogProps {
  conversation: ConversationView;
  /** The conversation is the one on the page. */
  here: boolean;
  onChanged: () => void;
  onClose: () => void;
}

const longestTitle = 120;

/** Gives a conversation another title. */
export function RenameDialog({ conversation, here, onChanged, onClose }: ConversationDialogProps): ReactNode {
  const [title, setTitle] = useState(conversation.title);
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const router = useRouter();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (title.trim() === '') return setError('A title needs at least one character.');
    setPending(true);
    try {
      await renameConversation(conversation.id, title.trim());
      onChanged();
      onClose();
      if (here) router.refresh();
    } catch (failure) {
      setPending(false);
      setError(messageOf(failure));
    }
  }

  return (
    <Dialog onOpenChange={onClose} open title="Rename conversation">
      <form className="space-y-5 pt-1" onSubmit={submit}>
        <Field error={error} id="conversation-title" label="Title" required>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              maxLength={longestTitle}
              onChange={(event) => setTitle(event.target.value)}
              value={title}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button pending={pending} tone="primary" type="submit">
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks before a conversation leaves the list. */
export function DeleteDialog({ conversation, here, onChanged, onClose }: ConversationDialogProps): ReactNode {
  const [pending, setPending] = useState(false);
  const router = useRouter();

  async function remove(): Promise<void> {
    setPending(true);
    try {
      await deleteConversation(conversation.id);
      onChanged();
      onClose();
      if (here) router.push(routes.chat);
    } catch (failure) {
      setPending(false);
      toast({ tone: 'danger', text: `Not deleted. ${messageOf(failure)}` });
    }
  }

  return (
    <Dialog
      description={
        <>
          &ldquo;<bdi>{conversation.title}</bdi>&rdquo; leaves your list for good. What{' '}
          <bdi>{conversation.agent.name}</bdi> was told stays with that agent.
        </>
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button onClick={remove} pending={pending} tone="danger">
            Delete conversation
          </Button>
        </>
      }
      onOpenChange={onClose}
      open
      title="Delete this conversation?"
    >
      {null}
    </Dialog>
  );
}

function messageOf(failure: unknown): string {
  return failure instanceof ApiError ? failure.message : 'Something went wrong on this page. Reload it and try again.';
}
