import { subscribe } from '../platform/bus';
import { shared } from '../platform/registry';
import { liveTurnIsOver } from './live-tasks';

/** How many readers of one task are each told of every event, and how often more than those are, milliseconds. */
const few = 5;
const frameMs = 16;

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
 * Rings when there is something new in the task's story; answers the way to stop. What many read is told once in the time in which a
 * screen is drawn, all of it at once: the first word and the last go out at once, and writing each event by itself to each
 * of them is what costs most.
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

function gather(taskId: string): Readers {
  const leave = subscribe('task', taskId, () => tell(taskId, readers));
  const readers: Readers = { bells: new Set(), toldAt: Number.NEGATIVE_INFINITY, pending: undefined, leave };
  return readers;
}

function tell(taskId: string, readers: Readers): void {
  const wait = readers.toldAt + frameMs - performance.now();
  const atOnce = readers.bells.size <= few || wait <= 0 || liveTurnIsOver(taskId);
  if (atOnce) ringAll(readers);
  else readers.pending ??= setTimeout(ringAll, wait, readers);
}

function ringAll(readers: Readers): void {
  clearTimeout(readers.pending);
  readers.pending = undefined;
  readers.toldAt = performance.now();
  for (const ring of [...readers.bells]) ring();
}
