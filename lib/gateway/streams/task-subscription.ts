import { subscribe } from '../../platform/bus';
import { processSingleton } from '../../platform/singleton';

/** How many readers of one task are each told of every event, and how often more than those are, milliseconds. */
const coalesceThreshold = 5;
const flushIntervalMs = 20;

/** Whoever reads one task on this node. */
interface Readers {
  listeners: Set<() => void>;
  notifiedAt: number;
  pending: NodeJS.Timeout | undefined;
  unsubscribe: () => void;
}

function readersByTask(): Map<string, Readers> {
  return processSingleton('task-readers', () => new Map());
}

/**
 * Rings when there is something new in the task's story; answers the way to stop. Many readers of what another node writes are
 * told some fifty times a second, the first at once; what is written here was gathered before, see
 * {@link msUntilNextFlush}.
 */
export function subscribeToTask(taskId: string, listener: () => void): () => void {
  const all = readersByTask();
  const readers = all.get(taskId) ?? createReaders(taskId);
  all.set(taskId, readers);
  readers.listeners.add(listener);
  return () => {
    readers.listeners.delete(listener);
    if (readers.listeners.size > 0) return;
    clearTimeout(readers.pending);
    readers.unsubscribe();
    if (all.get(taskId) === readers) all.delete(taskId);
  };
}

/** True while somebody on this node reads the task. */
export function hasReaders(taskId: string): boolean {
  return readersByTask().has(taskId);
}

function createReaders(taskId: string): Readers {
  const leave = subscribe('task', taskId, (_id, from) => notify(readers, from));
  const readers: Readers = {
    listeners: new Set(),
    notifiedAt: Number.NEGATIVE_INFINITY,
    pending: undefined,
    unsubscribe: leave,
  };
  return readers;
}

/**
 * How long whoever writes the task waits for more that goes into the same commit, milliseconds: not at all for a few readers, who
 * are told of each event by itself, nor for the first of many. All tasks wait for the same moments, and so share commits.
 */
export function msUntilNextFlush(taskId: string): number {
  const readers = readersByTask().get(taskId);
  const now = performance.now();
  if (!readers || readers.listeners.size <= coalesceThreshold || now - readers.notifiedAt >= flushIntervalMs) return 0;
  return flushIntervalMs - (now % flushIntervalMs);
}

function notify(readers: Readers, from: 'here' | 'elsewhere'): void {
  const wait = readers.notifiedAt + flushIntervalMs - performance.now();
  if (from === 'here' || readers.listeners.size <= coalesceThreshold || wait <= 0) notifyAll(readers);
  else readers.pending ??= setTimeout(notifyAll, wait, readers);
}

function notifyAll(readers: Readers): void {
  clearTimeout(readers.pending);
  readers.pending = undefined;
  readers.notifiedAt = performance.now();
  for (const listener of [...readers.listeners]) listener();
}
