import { subscribe } from '../platform/bus';
import { shared } from '../platform/registry';

/** How many readers of one task are each told of every event, and how often more than those are, milliseconds. */
const few = 5;
const frameMs = 20;

/** Whoever reads one task on this node. */
interface Readers {
  bells: Set<() => void>;
  toldAt: number;
  pending: NodeJS.Timeout | undefined;
  leave: () => void;
}

function readersByTask(): Map<string, Readers> {
  return shared('task-readers', () => new Map());
}

/**
 * Rings when there is something new in the task's story; answers the way to stop. Many readers of what another node writes are
 * told some fifty times a second, the first at once; what is written here was gathered before, see
 * {@link untilNextTelling}.
 */
export function hearTask(taskId: string, ring: () => void): () => void {
  const all = readersByTask();
  const readers = all.get(taskId) ?? gather(taskId);
  all.set(taskId, readers);
  readers.bells.add(ring);
  return () => {
    readers.bells.delete(ring);
    if (readers.bells.size > 0) return;
    clearTimeout(readers.pending);
    readers.leave();
    if (all.get(taskId) === readers) all.delete(taskId);
  };
}

/** True while somebody on this node reads the task. */
export function hasReaders(taskId: string): boolean {
  return readersByTask().has(taskId);
}

function gather(taskId: string): Readers {
  const leave = subscribe('task', taskId, (_id, from) => tell(readers, from));
  const readers: Readers = { bells: new Set(), toldAt: Number.NEGATIVE_INFINITY, pending: undefined, leave };
  return readers;
}

/**
 * How long whoever writes the task waits for more that goes into the same commit, milliseconds: not at all for a few readers, who
 * are told of each event by itself, nor for the first of many. All tasks wait for the same moments, and so share commits.
 */
export function untilNextTelling(taskId: string): number {
  const readers = readersByTask().get(taskId);
  const now = performance.now();
  if (!readers || readers.bells.size <= few || now - readers.toldAt >= frameMs) return 0;
  return frameMs - (now % frameMs);
}

function tell(readers: Readers, from: 'here' | 'elsewhere'): void {
  const wait = readers.toldAt + frameMs - performance.now();
  if (from === 'here' || readers.bells.size <= few || wait <= 0) ringAll(readers);
  else readers.pending ??= setTimeout(ringAll, wait, readers);
}

function ringAll(readers: Readers): void {
  clearTimeout(readers.pending);
  readers.pending = undefined;
  readers.toldAt = performance.now();
  for (const ring of [...readers.bells]) ring();
}
