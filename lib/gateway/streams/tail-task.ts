import { onConnectionGap } from '../../platform/bus';
import { processSingleton } from '../../platform/singleton';
import { isFinal } from '../../protocol/a2a/core/events';
import { bufferedEventsAfter } from '../runs/active-runs';
import { readEvents } from '../store/read-events';
import type { StoredEvent } from '../store/records';
import { subscribeToTask } from './task-subscription';

/** How often a tail looks by itself, should a notice from another node have been lost. */
const pollIntervalMs = 5_000;

/** Tails with a time limit, which whoever waits for an answer reads. */
interface TimedTails {
  endCallbacks: Set<() => void>;
  ended: boolean;
}

function timedTails(): TimedTails {
  return processSingleton('task-waits', () => ({ endCallbacks: new Set(), ended: false }));
}

/** Has everybody who waits for the end of a turn be answered with the task as it stands. For the end of the process. */
export function endTimedTails(): void {
  const all = timedTails();
  all.ended = true;
  for (const end of all.endCallbacks) end();
}

/**
 * The task's events after `after`, as they come, in batches; ends after the final event, when `signal` aborts, or after
 * `timeoutMs` milliseconds. Reading never changes the task: any number of tails may come and go.
 */
export async function* tailTask(
  taskId: string,
  after: number,
  { signal, timeoutMs: forMs }: { signal: AbortSignal; timeoutMs?: number },
): AsyncGenerator<StoredEvent[]> {
  const wakeup = createWakeup();
  const unsubscribes = [subscribeToTask(taskId, wakeup.notify), onConnectionGap(wakeup.notify)];
  signal.addEventListener('abort', wakeup.notify, { once: true });
  const pollTimer = setInterval(wakeup.notify, pollIntervalMs);
  pollTimer.unref();
  let ended = forMs !== undefined && timedTails().ended;
  const end = (): void => {
    ended = true;
    wakeup.notify();
  };
  const timeout = forMs === undefined ? undefined : setTimeout(end, forMs);
  if (forMs !== undefined) timedTails().endCallbacks.add(end);
  let seq = after;
  try {
    while (!signal.aborted && !ended) {
      // The bell is armed before reading: an event that is committed while we read rings it.
      const woken = wakeup.arm();
      const batch = bufferedEventsAfter(taskId, seq) ?? (await readEvents(taskId, seq));
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
    timedTails().endCallbacks.delete(end);
    signal.removeEventListener('abort', wakeup.notify);
    for (const stop of unsubscribes) stop();
  }
}

function createWakeup(): { arm: () => Promise<void>; notify: () => void } {
  let wake: () => void = () => undefined;
  return {
    arm: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    notify: () => wake(),
  };
}
