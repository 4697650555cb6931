import { useMemo, useRef, useState } from 'react';
import type { FeedbackView } from '../../lib/chat/schema-feedback';
import type { ThreadTools } from './thread-tools';
import type { AgentItem } from './to-view';
import type { Chat } from './use-chat';
import { type FeedbackState, useFeedback } from './use-feedback';

/** A dialog of the conversation. */
export type ThreadDialog =
  | { kind: 'find' }
  | { kind: 'share' }
  | { kind: 'inspect'; taskId: string }
  | { kind: 'feedback'; turn: AgentItem };

interface ThreadToolsState {
  tools: ThreadTools;
  feedback: FeedbackState;
  dialog: ThreadDialog | null;
  open: (dialog: ThreadDialog | null) => void;
}

interface ToolsOptions {
  agentName: string;
  conversationId: string | null;
  initialFeedback: FeedbackView[];
  sending: Chat['sending'];
}

/** Actions on messages, and the dialogs some of them need. */
export function useThreadTools({
  agentName,
  conversationId,
  initialFeedback,
  sending,
}: ToolsOptions): ThreadToolsState {
  const [dialog, open] = useState<ThreadDialog | null>(null);
  const feedback = useFeedback(conversationId, initialFeedback);
  const latest = useRef({ feedback, sending });
  latest.current = { feedback, sending };
  // Hundreds of turns depend on this object: it changes only when what they show does.
  const { of } = feedback;
  const tools = useMemo(
    (): ThreadTools => ({
      agentName,
      sendAgain: (parts) => latest.current.sending.sendAgain(parts),
      edit: (taskId, content) => latest.current.sending.edit(taskId, content),
      judge(turn, verdict) {
        const isRated = latest.current.feedback.judge(turn, verdict);
        if (isRated && verdict === 'bad') open({ kind: 'feedback', turn });
      },
      verdictOf: (turn) => of(turn)?.verdict ?? null,
      inspect: (taskId) => open({ kind: 'inspect', taskId }),
    }),
    [agentName, of],
  );
  return { tools, feedback, dialog, open };
}
