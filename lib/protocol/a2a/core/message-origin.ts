/** Messages that Parley itself writes, to the merchant of an order. */
export const NOTICES = ['mandate', 'receipt', 'payment_failure', 'refund', 'refund_failure', 'decline'] as const;
export type Notice = (typeof NOTICES)[number];

/** Who wrote a message to an agent: the task's owner by any client of theirs, an agent that acts for them, or Parley. */
export const MESSAGE_ORIGINS = ['person', 'agent', ...NOTICES] as const;
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number];

/** What is stored with a message to an agent. */
export interface MessageSource {
  origin: MessageOrigin;
  /** Of a message that a built-in agent passes on: the original ({@link messageKey}). */
  passedOn?: string;
}

/** The message that an output of an agent answers. */
export interface AnsweredMessage {
  /** Null for a message from before origins were stored. */
  origin: MessageOrigin | null;
  /** Identifies the message; of one that was passed on, the original. */
  key: string;
}

/** Identifies a message to an agent by its task and its event in it. Message ids are chosen by clients and can repeat. */
export function messageKey(taskId: string, seq: number): string {
  return `${taskId}/${seq}`;
}
