import { isListening, onConnectionGap, onNoticeGap } from '../../platform/bus';
import { isDatabaseUnavailable } from '../../platform/db/database-errors';
import { ParleyError } from '../../platform/errors';
import { eventStream } from '../../platform/event-stream/event-stream';
import { type AbortSignalLike, createWakeup } from '../../platform/runtime/abort';
import { isFinal } from '../../protocol/a2a/core/events';
import { bufferedEventsAfter } from '../active/active-runs';
import { EVENT_PAGE_SIZE, FIRST_TAIL_PAGE_SIZE, MAX_TAIL_PAGE_CHARS, SEGMENT_POLL_MS, TAIL_POLL_MS } from '../limits';
import type { StoredEvent, TaskRef } from '../store/records';
import { EventsUnavailableError } from '../store/stream/segments';
import { findLastSeq, readEvents } from '../store/task-events';
import { announcedEventsAfter, subscribeToTask } from './task-readers';

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
  { principal, id }: TaskRef,
  after: number,
  { signal, timeoutMs }: { signal: AbortSignalLike; timeoutMs?: number },
): AsyncGenerator<StoredEvent[]> {
  const task = { principal, id };
  const wakeup = createWakeup();
  let hasReconnected = false;
  const onGap = (): void => {
    hasReconnected = true;
  };
  const unsubscribes = [onConnectionGap(onGap), subscribeToTask(id, wakeup.notify), onNoticeGap(wakeup.notify)];
  signal.addEventListener('abort', wakeup.notify);
  const pollTimer = setInterval(wakeup.notify, eventStream() ? SEGMENT_POLL_MS : TAIL_POLL_MS);
  pollTimer.unref();
  let ended = timeoutMs !== undefined && timedTails.ended;
  const end = (): void => {
    ended = true;
    wakeup.notify();
  };
  const timeout = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  if (timeoutMs !== undefined) timedTails.endCallbacks.add(end);
  let seq = after;
  const readPage = pageReader(task);
  try {
    while (!signal.aborted && !ended) {
      // Armed before the read, so that an event that is committed during the read wakes it.
      const woken = wakeup.arm();
      if (hasReconnected && isListening()) hasReconnected = !(await requireEvents(task, seq));
      const batch = bufferedEventsAfter(id, seq) ?? announcedEventsAfter(id, seq) ?? (await readPage(seq));
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
 * Requires that the database still has the events up to `seq`: with asynchronous replication, a promoted server may lack
 * the last commits of its predecessor. Returns false if the database is unavailable again.
 * @throws {ParleyError} `unavailable` if events are missing
 */
async function requireEvents(task: TaskRef, seq: number): Promise<boolean> {
  try {
    const last = await findLastSeq(task);
    if (last !== null && last >= seq) return true;
    if (eventStream() && (await readEvents(task, seq - 1)).length > 0) return true;
  } catch (error) {
    if (isDatabaseUnavailable(error) || error instanceof EventsUnavailableError) return false;
    throw error;
  }
  throw new ParleyError('unavailable', 'A failover of the database lost the latest events. Read the task again.');
}

/**
 * Returns a function that reads the next events of a task: at most {@link MAX_TAIL_PAGE_CHARS} characters, or one
 * event, because a page stays in memory until a slow reader has read it. The page size adapts to the size of the
 * events, so that few events are read unnecessarily.
 */
function pageReader(task: TaskRef): (after: number) => Promise<StoredEvent[]> {
  let limit = FIRST_TAIL_PAGE_SIZE;
  return async (after) => {
    const events = await readEvents(task, after, limit).catch(noneWhileUnavailable);
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

/** A tail continues when the writer has written the events to PostgreSQL, or another node has taken over the run. */
function noneWhileUnavailable(error: unknown): StoredEvent[] {
  if (error instanceof EventsUnavailableError) return [];
  throw error;
}
