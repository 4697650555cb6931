import { isListening, onConnectionGap, onNoticeGap, subscribe } from '../../platform/bus';
import { isDatabaseUnavailable } from '../../platform/db/database-errors';
import { ParleyError } from '../../platform/errors';
import { type AbortSignalLike, createWakeup } from '../../platform/runtime/abort';
import { applyEvent, isFinal, statusOf } from '../../protocol/a2a/core/events';
import { endsTurn } from '../../protocol/a2a/core/model';
import { bufferedEventsAfter } from '../active/active-runs';
import {
  COALESCE_ABOVE_READERS,
  COALESCE_INTERVAL_MS,
  EVENT_PAGE_SIZE,
  FIRST_TAIL_PAGE_SIZE,
  MAX_TAIL_PAGE_CHARS,
  TAIL_POLL_MS,
  UNCHECKED_WAIT_MS,
} from '../limits';
import type { StoredEvent } from '../store/records';
import { findLastSeqs, readEvents } from '../store/task-events';
import type { Turn } from './turn';

/** Tails with a timeout, for callers that wait for a response. */
interface TimedTails {
  endCallbacks: Set<() => void>;
  ended: boolean;
}

const timedTails: TimedTails = { endCallbacks: new Set(), ended: false };

/** Ends all tails with a timeout, so that their callers receive the current task. For shutdown. */
export function endTimedTails(): void {
  timedTails.ended = true;
  for (const end of timedTails.endCallbacks) end();
}

/**
 * Yields the task's events after `after`, in batches. Ends after the final event, when `signal` aborts, or after
 * `timeoutMs` milliseconds. Any number of tails may read a task without affecting it.
 * @throws {ParleyError} `unavailable` if a failover of the database lost events that the tail has yielded
 */
export async function* tailTask(
  taskId: string,
  after: number,
  { signal, timeoutMs }: { signal: AbortSignalLike; timeoutMs?: number },
): AsyncGenerator<StoredEvent[]> {
  const wakeup = createWakeup();
  let hasReconnected = false;
  const onGap = (): void => {
    hasReconnected = true;
  };
  const unsubscribes = [onConnectionGap(onGap), subscribeToTask(taskId, wakeup.notify), onNoticeGap(wakeup.notify)];
  signal.addEventListener('abort', wakeup.notify);
  const pollTimer = setInterval(wakeup.notify, TAIL_POLL_MS);
  pollTimer.unref();
  let ended = timeoutMs !== undefined && timedTails.ended;
  const end = (): void => {
    ended = true;
    wakeup.notify();
  };
  const timeout = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  if (timeoutMs !== undefined) timedTails.endCallbacks.add(end);
  let seq = after;
  const readPage = pageReader(taskId);
  try {
    while (!signal.aborted && !ended) {
      // Armed before the read, so that an event that is committed during the read wakes it.
      const woken = wakeup.arm();
      if (hasReconnected && isListening()) hasReconnected = !(await requireEvents(taskId, seq));
      const batch = bufferedEventsAfter(taskId, seq) ?? (await readPage(seq));
      const last = batch.at(-1);
      if (!last) {
        await woken;
        continue;
      }
      seq = last.seq;
      yield batch;
      if (isFinal(last.event)) return;
    }
  } finally {
    clearInterval(pollTimer);
    clearTimeout(timeout);
    timedTails.endCallbacks.delete(end);
    signal.removeEventListener('abort', wakeup.notify);
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
}

/**
 * With asynchronous replication, a promoted server may lack the last commits of its predecessor. Returns false if the
 * database is unavailable again.
 */
async function requireEvents(taskId: string, seq: number): Promise<boolean> {
  try {
    const last = (await findLastSeqs([taskId])).get(taskId);
    if (last !== undefined && last >= seq) return true;
  } catch (error) {
    if (isDatabaseUnavailable(error)) return false;
    throw error;
  }
  throw new ParleyError('unavailable', 'A failover of the database lost the latest events. Read the task again.');
}

/**
 * Returns a function that reads the next events of a task: at most {@link MAX_TAIL_PAGE_CHARS} characters, or one
 * event, because a page stays in memory until a slow reader has read it. The page size adapts to the size of the
 * events, so that few events are read unnecessarily.
 */
function pageReader(taskId: string): (after: number) => Promise<StoredEvent[]> {
  let limit = FIRST_TAIL_PAGE_SIZE;
  return async (after) => {
    const events = await readEvents(taskId, after, limit);
    let chars = 0;
    const end = events.findIndex(({ event }) => {
      chars += JSON.stringify(event).length;
      return chars > MAX_TAIL_PAGE_CHARS;
    });
    if (end < 0) {
      limit = Math.min(limit * 4, EVENT_PAGE_SIZE);
      return events;
    }
    limit = Math.max(end, 1);
    return events.slice(0, limit);
  };
}

/**
 * Waits for the end of the turn, for at most `waitMs` milliseconds, or until the caller's signal aborts, which is
 * checked after UNCHECKED_WAIT_MS. Updates the turn's task and returns the received events.
 */
export async function waitForTurnEnd(
  turn: Turn,
  caller: { readonly signal: AbortSignalLike },
  waitMs: number,
): Promise<StoredEvent[]> {
  if (endsTurn(turn.task.status.state) || waitMs <= 0) return [];
  const startedAt = performance.now();
  const events = await turn.handle?.completion(Math.min(waitMs, UNCHECKED_WAIT_MS));
  if (events) {
    for (const { event } of events) applyEvent(turn.task, event);
    return events;
  }
  // The run takes longer, or another writer ends the turn.
  return tailUntilTurnEnd(turn, caller.signal, Math.max(0, waitMs - (performance.now() - startedAt)));
}

async function tailUntilTurnEnd(turn: Turn, signal: AbortSignalLike, waitMs: number): Promise<StoredEvent[]> {
  const received: StoredEvent[] = [];
  for await (const batch of tailTask(turn.record.id, turn.seq, { signal, timeoutMs: waitMs })) {
    received.push(...batch);
    for (const { event } of batch) applyEvent(turn.task, event);
    const status = batch.map(({ event }) => statusOf(event)).findLast((found) => found !== null);
    if (status && endsTurn(status.state)) break;
  }
  return received;
}

/** The readers of one task on this node. */
interface Readers {
  listeners: Set<() => void>;
  notifiedAt: number;
  pending: NodeJS.Timeout | undefined;
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
  const readers: Readers = {
    listeners: new Set(),
    notifiedAt: Number.NEGATIVE_INFINITY,
    pending: undefined,
    unsubscribe,
  };
  return readers;
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
