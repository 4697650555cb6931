import { createContext } from 'react';
import type { FeedbackView } from '../../lib/chat/schema';
import type { Part } from '../../lib/protocol/a2a/core/model';
import type { OwnMessage } from './thread-state';
import type { AgentItem } from './to-view';

/** What a reader can do with what was said; each does nothing to what it is not for. */
export interface ThreadTools {
  agentName: string;
  /** Sends what was said once more, as a new message. */
  sendAgain: (parts: Part[]) => void;
  /** Says the message that began a task differently. */
  edit: (taskId: string, content: Pick<OwnMessage, 'text' | 'files'>) => boolean;
  /** Says that an answer is good or bad, or takes that back. */
  judge: (turn: AgentItem, verdict: FeedbackView['verdict']) => void;
  verdictOf: (turn: AgentItem) => FeedbackView['verdict'] | null;
  /** Shows what went over the wire for a task. */
  inspect: (taskId: string) => void;
}

/** Null where a thread is only read. */
export const ThreadToolsContext = createContext<ThreadTools | null>(null);
