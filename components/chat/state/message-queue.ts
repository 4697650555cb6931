import type { NewMessage } from './thread-state';

/** A message written while the agent works. Its id never changes, so that it cannot become two messages. */
export type QueuedMessage = Pick<NewMessage, 'messageId' | 'text' | 'files'>;

export interface MessageQueue {
  /** In the order in which they are sent. */
  items: readonly QueuedMessage[];
  /** The message to send although the user stopped the agent, because they stopped it for this message. */
  urgentId: string | null;
}

export type QueueAction =
  | { type: 'loaded'; queue: MessageQueue }
  | { type: 'added'; message: QueuedMessage }
  | { type: 'edited'; messageId: string; text: string }
  | { type: 'removed'; messageId: string }
  /** Moves a message to the front, to send it when the agent has stopped. */
  | { type: 'prioritized'; messageId: string }
  /** Passed to the thread, which keeps it until the server has it. */
  | { type: 'sent'; messageId: string };

/** Maximum messages in a queue. */
export const MAX_QUEUED = 10;

export const emptyQueue: MessageQueue = { items: [], urgentId: null };

/** Returns the next state. An action on a message that is not queued has no effect. */
export function reduceQueue(queue: MessageQueue, action: QueueAction): MessageQueue {
  switch (action.type) {
    case 'loaded':
      return action.queue;
    case 'added':
      return has(queue, action.message.messageId) ? queue : { ...queue, items: [...queue.items, action.message] };
    case 'edited':
      return {
        ...queue,
        items: queue.items.map((item) => (item.messageId === action.messageId ? { ...item, text: action.text } : item)),
      };
    case 'prioritized': {
      const first = queue.items.find(({ messageId }) => messageId === action.messageId);
      if (!first) return queue;
      return { items: [first, ...without(queue, action.messageId)], urgentId: action.messageId };
    }
    case 'removed':
    case 'sent':
      return {
        items: without(queue, action.messageId),
        urgentId: queue.urgentId === action.messageId ? null : queue.urgentId,
      };
  }
}

function has({ items }: MessageQueue, id: string): boolean {
  return items.some(({ messageId }) => messageId === id);
}

function without({ items }: MessageQueue, id: string): QueuedMessage[] {
  return items.filter(({ messageId }) => messageId !== id);
}

/**
 * The party that acts next in the thread. `stopped` means that the user stopped the last task and has sent no message
 * since.
 */
export type ThreadTurn = 'agent' | 'question' | 'authorization' | 'stopped' | 'user';

export interface QueueSituation {
  turn: ThreadTurn;
  /** True if a message is being sent to the server, or its task is not known here yet. */
  sending: boolean;
  /** True if a message was not sent, and the user has not yet decided about it. */
  failed: boolean;
  /** True if the page receives updates of the conversation. */
  live: boolean;
  /** The queued message that the user is editing. */
  editingId: string | null;
}

/** The reason why the first message of the queue is not sent. */
export type QueueHold = 'offline' | 'failed' | 'working' | 'question' | 'authorization' | 'stopped' | 'editing';

/** Returns the reason why the queue waits; null if its first message is to be sent, or if it is empty. */
export function holdOf({ items, urgentId }: MessageQueue, situation: QueueSituation): QueueHold | null {
  const [first] = items;
  if (!first) return null;
  const { turn, sending, failed, live, editingId } = situation;
  if (!live) return 'offline';
  if (failed) return 'failed';
  if (sending || turn === 'agent') return 'working';
  if (turn === 'question' || turn === 'authorization') return turn;
  if (turn === 'stopped' && urgentId !== first.messageId) return 'stopped';
  return editingId === first.messageId ? 'editing' : null;
}

/** Returns the message to send now. The next one waits until the task of this one has ended. */
export function nextToSend(queue: MessageQueue, situation: QueueSituation): QueuedMessage | null {
  return holdOf(queue, situation) === null ? (queue.items[0] ?? null) : null;
}
