import { useTranslations } from 'next-intl';
import { useCallback, useEffect } from 'react';
import { withNext } from '../../../lib/identity/schema';
import type { Part } from '../../../lib/protocol/a2a/core/model';
import { resumePath, routes } from '../../routes';
import { savePendingMessage, takePendingMessage } from '../state/drafts';
import type { CardReply } from '../state/message-content';
import { newUuid, toMessageContent } from '../state/message-content';
import type { NewMessage } from '../state/thread-state';
import type { Thread } from '../state/use-thread';
import type { ComposerState } from './use-composer';
import type { Interrupt } from './use-interrupt';
import type { QueueControls } from './use-message-queue';

interface SendingOptions {
  agentSlug: string;
  /** True if the viewer may send messages, as a user or as a guest. */
  maySend: boolean;
  /** True if the user returns from sign-in; the pending message is then sent. */
  resume: boolean;
  composer: ComposerState;
  thread: Thread;
  interrupt: Interrupt | null;
  queue: QueueControls;
}

export interface Sending {
  /** Sends the composer's content, as an answer if a question is open. Queues it while the agent works. */
  submit: () => void;
  /** Sends an earlier message again, as a new message. */
  sendAgain: (parts: Part[]) => void;
  /** Sends an example of the agent. */
  sendExample: (text: string) => void;
  /** Sends the message of a card's button in the user's name, as the answer to a task's question or as a new message. */
  reply: (reply: CardReply, taskId?: string) => void;
  retry: (messageId: string) => void;
  /** Edits the message that started a task, which starts a branch of the conversation. */
  edit: (taskId: string, content: Pick<NewMessage, 'text' | 'files'>) => boolean;
}

/** Returns the functions that send a message of the user, each exactly once. */
export function useSending(options: SendingOptions): Sending {
  const { agentSlug, maySend, resume, composer, thread, interrupt, queue } = options;
  const t = useTranslations('chat.useSending');
  const { send, state } = thread;
  const { take, restore, explain } = composer;

  const dispatchMessage = useCallback(
    (message: NewMessage) => {
      if (maySend) {
        send(message);
        return;
      }
      savePendingMessage(agentSlug, message);
      window.location.assign(withNext(routes.signIn, resumePath(agentSlug), { reason: 'send' }));
    },
    [agentSlug, maySend, send],
  );

  // The pending message is removed before it is sent, so that a reload or a second visit does not send it again.
  useEffect(() => {
    const returns = maySend && resume;
    const pendingMessage = takePendingMessage(agentSlug, { returns });
    if (!pendingMessage) return;
    if (returns) send(pendingMessage);
    else restore(pendingMessage);
  }, [agentSlug, maySend, resume, restore, send]);

  // One message at a time, because the conversation of the next one is unknown until the server reports it.
  const isSending = state.outgoing.some(({ problem }) => problem === null);

  const submit = useCallback(() => {
    if (queue.mustQueue) {
      const content = take();
      const refusal = content && queue.add({ ...content, messageId: newUuid() });
      if (content && refusal) restore(content);
      explain(refusal);
      return;
    }
    // The message to the agent if the user only confirms the authorization.
    const content = take() ?? (interrupt?.kind === 'needs-auth' ? { text: t('authorized'), files: [] } : null);
    if (content) dispatchMessage({ ...content, messageId: newUuid(), taskId: interrupt?.taskId });
  }, [queue, dispatchMessage, explain, interrupt, restore, t, take]);

  const sendAgain = useCallback(
    (parts: Part[]) => {
      // A reply that was not accepted is sent again to the question, which is open again.
      if (isSending) explain(t('busy'));
      else dispatchMessage({ ...toMessageContent(parts), messageId: newUuid(), taskId: interrupt?.taskId });
    },
    [isSending, dispatchMessage, explain, interrupt, t],
  );

  const edit = useCallback(
    (taskId: string, content: Pick<NewMessage, 'text' | 'files'>) => {
      if (!isSending) dispatchMessage({ ...content, messageId: newUuid(), edits: taskId });
      return !isSending;
    },
    [isSending, dispatchMessage],
  );

  const reply = useCallback(
    (reply: CardReply, taskId?: string) => dispatchMessage({ ...contentOf(reply), messageId: newUuid(), taskId }),
    [dispatchMessage],
  );

  const sendExample = useCallback(
    (text: string) => {
      if (!isSending) dispatchMessage({ text, files: [], messageId: newUuid() });
    },
    [isSending, dispatchMessage],
  );

  const retry = useCallback(
    (messageId: string) => {
      const message = state.outgoing.find((message) => message.messageId === messageId);
      if (!message) return;
      const { accepted: _, problem: __, progress: ___, ...unsent } = message;
      send(unsent);
    },
    [send, state.outgoing],
  );

  return { submit, sendAgain, sendExample, reply, retry, edit };
}

function contentOf(reply: CardReply): Omit<NewMessage, 'messageId'> {
  return typeof reply === 'string' ? { text: reply, files: [] } : reply;
}
