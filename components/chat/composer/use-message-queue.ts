import { useTranslations } from 'next-intl';
import { type Dispatch, useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { announce } from '../../ui/overlays/announcer';
import { isRunning } from '../state/agent-item';
import { readQueue, saveQueue } from '../state/drafts';
import {
  emptyQueue,
  holdOf,
  MAX_QUEUED,
  type MessageQueue,
  nextToSend,
  type QueueAction,
  type QueuedMessage,
  type QueueHold,
  reduceQueue,
  type ThreadTurn,
} from '../state/message-queue';
import type { ThreadState } from '../state/thread-state';
import type { ThreadItem } from '../state/to-items';
import type { Thread } from '../state/use-thread';
import type { Interrupt } from './use-interrupt';

export interface QueueControls {
  items: readonly QueuedMessage[];
  /** The reason why the queue waits. */
  hold: QueueHold | null;
  /** True if a message written now has to wait for its turn. */
  mustQueue: boolean;
  /** Queues a message. Returns the reason why it cannot be queued; null on success. */
  add: (message: QueuedMessage) => string | null;
  edit: (messageId: string, text: string) => void;
  remove: (messageId: string) => void;
  /** Sends a message before the others: stops the agent first, or answers its question. */
  sendNow: (messageId: string) => void;
  /** A message that is being edited is not sent. */
  setEditing: (messageId: string | null) => void;
}

interface QueueOptions {
  /** Storage key of the displayed branch, whose task the queue waits for. */
  storageKey: string;
  items: readonly ThreadItem[];
  thread: Thread;
  interrupt: Interrupt | null;
  /** Stops the agent. */
  stop: () => void;
}

/** Returns the messages that wait for the agent. They are stored per tab, and each is passed to the thread once. */
export function useMessageQueue(options: QueueOptions): QueueControls {
  const { storageKey, items, thread, interrupt, stop } = options;
  const t = useTranslations('chat.queue');
  const { state, connection, send } = thread;
  const { queue, dispatch, loaded } = useStoredQueue(storageKey, state);
  const [editingId, setEditing] = useState<string | null>(null);

  const sending = state.outgoing.some(({ problem }) => problem === null);
  const turn = turnOf(items, state, interrupt);
  const situation = {
    turn,
    sending,
    failed: state.outgoing.some(({ problem }) => problem !== null),
    live: connection === 'live',
    editingId,
  };
  const hold = holdOf(queue, situation);
  const next = nextToSend(queue, situation);

  const handedOver = useRef(new Set<string>());
  const handOver = useCallback(
    (message: QueuedMessage, taskId?: string) => {
      if (handedOver.current.has(message.messageId)) return;
      handedOver.current.add(message.messageId);
      dispatch({ type: 'sent', messageId: message.messageId });
      send({ ...message, taskId });
    },
    [dispatch, send],
  );
  useEffect(() => {
    if (next && loaded) handOver(next);
  }, [next, loaded, handOver]);

  const add = useCallback(
    (message: QueuedMessage) => {
      if (queue.items.length >= MAX_QUEUED) return t('full', { most: MAX_QUEUED });
      // Stored before it is removed from the composer, so that it is never lost.
      if (!saveQueue(storageKey, { ...queue, items: [...queue.items, message] })) return t('notStored');
      dispatch({ type: 'added', message });
      announce(t('added'));
      return null;
    },
    [dispatch, queue, storageKey, t],
  );
  const edit = (messageId: string, text: string): void => dispatch({ type: 'edited', messageId, text });
  const remove = (messageId: string): void => dispatch({ type: 'removed', messageId });
  const sendNow = (messageId: string): void => {
    const message = queue.items.find((item) => item.messageId === messageId);
    if (!message) return;
    if (turn === 'question' && interrupt && !sending) {
      handOver(message, interrupt.taskId);
      return;
    }
    dispatch({ type: 'prioritized', messageId });
    if (turn === 'agent') stop();
  };
  // The queue does not wait for a task that the user stops.
  const working = turn === 'agent' && state.stoppingIds.length === 0;
  const mustQueue = sending || working || (turn === 'user' && queue.items.length > 0);
  return { items: queue.items, hold, mustQueue, add, edit, remove, sendNow, setEditing };
}

interface StoredQueue {
  queue: MessageQueue;
  dispatch: Dispatch<QueueAction>;
  /** False until the stored queue is read, after hydration. */
  loaded: boolean;
}

/** Returns the queue as stored in the tab, without messages that the thread already has. */
function useStoredQueue(storageKey: string, state: ThreadState): StoredQueue {
  const [queue, dispatch] = useReducer(reduceQueue, emptyQueue);
  const [loaded, setLoaded] = useState(false);
  const latestState = useRef(state);
  latestState.current = state;
  useEffect(() => {
    const known = deliveredIds(latestState.current);
    const { items, urgentId } = readQueue(storageKey) ?? emptyQueue;
    dispatch({ type: 'loaded', queue: { items: items.filter(({ messageId }) => !known.has(messageId)), urgentId } });
    setLoaded(true);
  }, [storageKey]);
  useEffect(() => {
    // The empty queue of the first render must not replace the stored one.
    if (loaded) saveQueue(storageKey, queue);
  }, [loaded, queue, storageKey]);
  return { queue, dispatch, loaded };
}

/** Ids of the messages that the server has. */
function deliveredIds({ tasks }: ThreadState): Set<string> {
  const messageIds = tasks.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === 'user-message' ? [entry.message.messageId] : [])),
  );
  return new Set(messageIds);
}

/** Returns the party that acts next. */
export function turnOf(
  items: readonly ThreadItem[],
  { tasks }: Pick<ThreadState, 'tasks'>,
  interrupt: Interrupt | null,
): ThreadTurn {
  const turns = items.filter((item) => item.kind === 'agent');
  // A task has a state before it has an item.
  const isWorking = tasks.some(({ state }) => state === 'submitted' || state === 'working');
  if (isWorking || turns.some(({ phase }) => isRunning(phase))) return 'agent';
  if (interrupt) return interrupt.kind === 'asks' ? 'question' : 'authorization';
  const phase = turns.at(-1)?.phase;
  return phase === 'stopped' || phase === 'unanswered' ? 'stopped' : 'user';
}
