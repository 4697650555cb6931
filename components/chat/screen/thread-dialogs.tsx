import { type ReactNode, Suspense, useMemo, useRef, useState } from 'react';
import type { FeedbackView } from '../../../lib/chat/schema-thread';
import { lazyComponent } from '../../ui/overlays/lazy';
import { toMessageContent } from '../state/message-content';
import type { AgentItem, ThreadItem } from '../state/to-items';
import type { MessageActions } from '../thread/message-actions';
import type { Chat } from './use-chat';
import { type FeedbackState, useFeedback } from './use-feedback';

// Loaded on demand.
const FindDialog = lazyComponent(async () => (await import('./find-dialog')).FindDialog);
const ShareDialog = lazyComponent(async () => (await import('./share-dialog')).ShareDialog);
const Inspector = lazyComponent(async () => (await import('./inspector')).Inspector);
const FeedbackDialog = lazyComponent(async () => (await import('./feedback-dialog')).FeedbackDialog);

interface ThreadDialogsProps {
  dialog: ThreadDialog | null;
  conversationId: string | null;
  branch: string | null;
  agent: { slug: string; name: string };
  items: readonly ThreadItem[];
  feedback: FeedbackState;
  onClose: () => void;
}

/** The requested dialog. */
export function ThreadDialogs(props: ThreadDialogsProps): ReactNode {
  return <Suspense fallback={null}>{dialogOf(props)}</Suspense>;
}

function dialogOf({ dialog, conversationId, branch, agent, items, feedback, onClose }: ThreadDialogsProps): ReactNode {
  if (dialog === null || conversationId === null || branch === null) return null;
  switch (dialog.kind) {
    case 'find':
      return <FindDialog conversationId={conversationId} onClose={onClose} />;
    case 'share':
      return (
        <ShareDialog branch={branch} conversationId={conversationId} messages={messagesOf(items)} onClose={onClose} />
      );
    case 'inspect':
      return (
        <Inspector
          agent={agent}
          conversationId={conversationId}
          onClose={onClose}
          taskId={dialog.taskId}
          text={messagesOf(items).find(({ taskId }) => taskId === dialog.taskId)?.text ?? ''}
        />
      );
    case 'feedback':
      return (
        <FeedbackDialog
          agentName={agent.name}
          onClose={onClose}
          onSend={(why) => feedback.addReason(dialog.turn, why)}
        />
      );
  }
}

/** Returns the messages that started tasks, in order. */
function messagesOf(items: readonly ThreadItem[]): { taskId: string; text: string }[] {
  return items.flatMap((item) =>
    item.kind === 'user' && item.startsTask && item.taskId
      ? [{ taskId: item.taskId, text: toMessageContent(item.parts).text }]
      : [],
  );
}

/** A dialog of the conversation. */
export type ThreadDialog =
  | { kind: 'find' }
  | { kind: 'share' }
  | { kind: 'inspect'; taskId: string }
  | { kind: 'feedback'; turn: AgentItem };

interface MessageActionsState {
  actions: MessageActions;
  feedback: FeedbackState;
  dialog: ThreadDialog | null;
  open: (dialog: ThreadDialog | null) => void;
}

interface MessageActionsOptions {
  agentName: string;
  conversationId: string | null;
  initialFeedback: FeedbackView[];
  sending: Chat['sending'];
}

/** Returns the actions on messages, and the dialogs that some of them require. */
export function useMessageActions({
  agentName,
  conversationId,
  initialFeedback,
  sending,
}: MessageActionsOptions): MessageActionsState {
  const [dialog, open] = useState<ThreadDialog | null>(null);
  const feedback = useFeedback(conversationId, initialFeedback);
  const latest = useRef({ feedback, sending });
  latest.current = { feedback, sending };
  // Hundreds of turns depend on this object, so it changes only when their displayed data changes.
  const { feedbackOf } = feedback;
  const actions = useMemo(
    (): MessageActions => ({
      agentName,
      sendAgain: (parts) => latest.current.sending.sendAgain(parts),
      edit: (taskId, content) => latest.current.sending.edit(taskId, content),
      rate(turn, verdict) {
        const isRated = latest.current.feedback.rate(turn, verdict);
        if (isRated && verdict === 'bad') open({ kind: 'feedback', turn });
      },
      verdictOf: (turn) => feedbackOf(turn)?.verdict ?? null,
      inspect: (taskId) => open({ kind: 'inspect', taskId }),
    }),
    [agentName, feedbackOf],
  );
  return { actions, feedback, dialog, open };
}
