import { useTranslations } from 'next-intl';
import { useCallback, useEffect } from 'react';
import type { Part } from '../../lib/protocol/a2a/core/model';
import { signInPath } from '../shell/routes';
import { keepForSignIn, takeAfterSignIn } from './drafts';
import { newUuid } from './new-uuid';
import { toOwnContent } from './own-content';
import { resumePath } from './paths';
import type { OwnMessage } from './thread-state';
import type { ComposerState } from './use-composer';
import type { Question } from './use-question';
import type { Thread } from './use-thread';

interface SendingOptions {
  agentSlug: string;
  signedIn: boolean;
  /** The person comes back from signing in: what they wrote before is sent. */
  resume: boolean;
  composer: ComposerState;
  thread: Thread;
  question: Question | null;
}

export interface Sending {
  /** Sends what stands in the composer, as an answer where a question is open. */
  submit: () => void;
  /** Sends what was said before once more, as a new message. */
  sendAgain: (parts: Part[]) => void;
  /** Sends what a button on a card says for the person, as the answer to a task's question. */
  reply: (text: string, taskId: string) => void;
  retry: (messageId: string) => void;
  /** Says the message that began a task differently: a branch of the conversation begins. */
  edit: (taskId: string, content: Pick<OwnMessage, 'text' | 'files'>) => boolean;
}

/** The ways in which a message of the person leaves the page, each exactly once. */
export function useSending({ agentSlug, signedIn, resume, composer, thread, question }: SendingOptions): Sending {
  const t = useTranslations('chat.useSending');
  const { send, state } = thread;
  const { take, restore, explain } = composer;

  const dispatchMessage = useCallback(
    (message: OwnMessage) => {
      if (signedIn) {
        send(message);
        return;
      }
      keepForSignIn(agentSlug, message);
      window.location.assign(signInPath(resumePath(agentSlug)));
    },
    [agentSlug, send, signedIn],
  );

  // What waits is taken out before it is sent: neither a reload nor a second look at this address sends it again.
  useEffect(() => {
    const waiting = takeAfterSignIn(agentSlug);
    if (!waiting) return;
    if (signedIn && resume) send(waiting);
    else restore(waiting);
  }, [agentSlug, resume, restore, send, signedIn]);

  // One message at a time: until the server tells of it, nobody knows which conversation the next one belongs to.
  const busy = state.outgoing.some(({ problem }) => problem === null);

  const submit = useCallback(() => {
    if (busy) {
      explain(t('busy'));
      return;
    }
    // What the agent hears when the person only says that they have authorized it.
    const content = take() ?? (question?.kind === 'needs-auth' ? { text: t('authorized'), files: [] } : null);
    if (content) dispatchMessage({ ...content, messageId: newUuid(), taskId: question?.taskId });
  }, [busy, dispatchMessage, explain, question, t, take]);

  const sendAgain = useCallback(
    (parts: Part[]) => {
      // A reply that was not accepted is sent once more to the question, which is open again.
      if (busy) explain(t('busy'));
      else dispatchMessage({ ...toOwnContent(parts), messageId: newUuid(), taskId: question?.taskId });
    },
    [busy, dispatchMessage, explain, question, t],
  );

  const edit = useCallback(
    (taskId: string, content: Pick<OwnMessage, 'text' | 'files'>) => {
      if (!busy) dispatchMessage({ ...content, messageId: newUuid(), edits: taskId });
      return !busy;
    },
    [busy, dispatchMessage],
  );

  const reply = useCallback(
    (text: string, taskId: string) => dispatchMessage({ text, files: [], messageId: newUuid(), taskId }),
    [dispatchMessage],
  );

  const retry = useCallback(
    (messageId: string) => {
      const found = state.outgoing.find((message) => message.messageId === messageId);
      if (!found) return;
      const { text, files, taskId, edits } = found;
      send({ messageId, text, files, taskId, edits });
    },
    [send, state.outgoing],
  );

  return { submit, sendAgain, reply, retry, edit };
}
