import { createContext } from 'react';
import type { FeedbackView } from '../../../lib/chat/schema-thread';
import type { Part } from '../../../lib/protocol/a2a/core/model';
import type { NewMessage } from '../state/thread-state';
import type { AgentItem } from '../state/to-items';

/** Actions on messages. Each ignores messages to which it does not apply. */
export interface MessageActions {
  agentName: string;
  /** Sends the same message again, as a new message. */
  sendAgain: (parts: Part[]) => void;
  /** Edits the message that started a task. */
  edit: (taskId: string, content: Pick<NewMessage, 'text' | 'files'>) => boolean;
  /** Rates an answer as good or bad, or withdraws the rating. */
  rate: (turn: AgentItem, verdict: FeedbackView['verdict']) => void;
  verdictOf: (turn: AgentItem) => FeedbackView['verdict'] | null;
  /** Shows the HTTP exchange of a task. */
  inspect: (taskId: string) => void;
}

/** Sends an example of the agent, or writes it into the composer if the viewer has to sign in first. */
export const ExampleContext = createContext<(text: string) => void>(() => undefined);

/** Null if a thread is read-only. */
export const MessageActionsContext = createContext<MessageActions | null>(null);
