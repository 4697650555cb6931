/** Messages that Parley itself writes, to the merchant of an order. */
export const NOTICES = ['mandate', 'receipt', 'payment_failure', 'refund', 'refund_failure', 'decline'] as const;
export type Notice = (typeof NOTICES)[number];

/**
 * The authors of messages to an agent: the task's owner with any client, an agent that acts for the owner, or Parley.
 */
export const MESSAGE_ORIGINS = ['person', 'agent', ...NOTICES] as const;
export type MessageOrigin = (typeof MESSAGE_ORIGINS)[number];

/** The data about the author that is stored with a message to an agent. */
export interface MessageSource {
  origin: MessageOrigin;
  /** The original message of a message that a built-in agent forwards ({@link messageKey}). */
  passedOn?: string;
}

/** The message that an agent's output answers. */
export interface AnsweredMessage {
  /** Null for a message that was stored before origins were. */
  origin: MessageOrigin | null;
  /** The key of the message, or of the original message if it was forwarded. */
  key: string;
}

/**
 * Returns the key of a message to an agent: its task, and its event in the task. Message ids are chosen by clients and
 * are not unique.
 */
export function messageKey(taskId: string, seq: number): string {
  return `${taskId}/${seq}`;
}
