import { subscribe } from '../../platform/bus';
import { COALESCE_ABOVE_READERS, COALESCE_INTERVAL_MS, MAX_ANNOUNCED_EVENTS } from '../limits';
import type { StoredEvent } from '../store/records';
import { followSegments } from '../store/stream/segments';

/** The readers of one task on this node. */
interface Readers {
  listeners: Set<() => void>;
  notifiedAt: number;
  pending: NodeJS.Timeout | undefined;
  /** The latest consecutive events that another node has stored in the event stream. */
  announced: StoredEvent[];
  unsubscribe: () => void;
}

const readersByTask = new Map<string, Readers>();

/**
 * Calls `listener` on new events of the task. Returns a function that unsubscribes. If many readers follow another
 * node's task, they are notified at most once per interval, the first time immediately; local writes are batched
 * instead (see {@link msUntilNextFlush}).
 */
export function subscribeToTask(taskId: string, listener: () => void): () => void {
  const readers = readersByTask.get(taskId) ?? createReaders(taskId);
  readersByTask.set(taskId, readers);
  readers.listeners.add(listener);
  return () => {
    readers.listeners.delete(listener);
    if (readers.listeners.size > 0) return;
    clearTimeout(readers.pending);
    readers.unsubscribe();
    if (readersByTask.get(taskId) === readers) readersByTask.delete(taskId);
  };
}

/** Returns true while the task has readers on this node. */
export function hasReaders(taskId: string): boolean {
  return readersByTask.has(taskId);
}

function createReaders(taskId: string): Readers {
  const unsubscribe = subscribe('task', taskId, (_id, from) => notify(readers, from));
  const unfollow = followSegments(taskId, (events) => {
    const isNext = readers.announced.at(-1)?.seq === (events[0]?.seq ?? 0) - 1;
    readers.announced = isNext ? [...readers.announced, ...events].slice(-MAX_ANNOUNCED_EVENTS) : events;
    notify(readers, 'elsewhere');
  });
  const readers: Readers = {
    listeners: new Set(),
    notifiedAt: Number.NEGATIVE_INFINITY,
    pending: undefined,
    announced: [],
    unsubscribe: () => {
      unsubscribe();
      unfollow();
    },
  };
  return readers;
}

/** Returns the announced events after `seq`; null if there are none, or not all of them. */
export function announcedEventsAfter(taskId: string, seq: number): StoredEvent[] | null {
  const announced = readersByTask.get(taskId)?.announced ?? [];
  const at = announced.findIndex((event) => event.seq === seq + 1);
  return at < 0 ? null : announced.slice(at);
}

/**
 * Returns the time that a writer should wait in order to batch events into one commit, milliseconds: 0 if there are few
 * readers, who receive each event separately, and for the first event. All tasks use the same ticks, so that they share
 * commits.
 */
export function msUntilNextFlush(taskId: string): number {
  const readers = readersByTask.get(taskId);
  const now = performance.now();
  if (!readers || readers.listeners.size <= COALESCE_ABOVE_READERS || now - readers.notifiedAt >= COALESCE_INTERVAL_MS)
    return 0;
  return COALESCE_INTERVAL_MS - (now % COALESCE_INTERVAL_MS);
}

function notify(readers: Readers, from: 'here' | 'elsewhere'): void {
  const wait = readers.notifiedAt + COALESCE_INTERVAL_MS - performance.now();
  if (from === 'here' || readers.listeners.size <= COALESCE_ABOVE_READERS || wait <= 0) notifyAll(readers);
  else readers.pending ??= setTimeout(notifyAll, wait, readers);
}

function notifyAll(readers: Readers): void {
  clearTimeout(readers.pending);
  readers.pending = undefined;
  readers.notifiedAt = performance.now();
  for (const listener of [...readers.listeners]) listener();
}
