import { useMemo, useRef, useState } from 'react';
import type { FeedbackView } from '../../lib/chat/schema-feedback';
import type { MessageActions } from './message-actions';
import type { AgentItem } from './to-items';
import type { Chat } from './use-chat';
import { type FeedbackState, useFeedback } from './use-feedback';

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

/** Actions on messages, and the dialogs some of them need. */
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
  // Hundreds of turns depend on this object: it changes only when their displayed data changes.
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
