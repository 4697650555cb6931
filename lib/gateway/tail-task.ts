import { onGap } from '../platform/bus';
import { isFinal } from '../protocol/a2a/core/events';
import { hearTask } from './hear-task';
import { liveEventsAfter } from './live-tasks';
import { readEvents } from './store/read-events';
import type { StoredEvent } from './store/records';

/** How often a tail looks by itself, should a notice from another node have been lost. */
const recheckMs = 5_000;

/**
 * The task's events after `after`, as they come, in batches; ends after the final event, when `signal` aborts, or after
 * `forMs` milliseconds. Reading never changes the task: any number of tails may come and go.
 */
export async function* tailTask(
  taskId: string,
  after: number,
  { signal, forMs }: { signal: AbortSignal; forMs?: number },
): AsyncGenerator<StoredEvent[]> {
  const bell = createBell();
  const leave = [hearTask(taskId, bell.ring), onGap(bell.ring)];
  signal.addEventListener('abort', bell.ring, { once: true });
  const recheck = setInterval(bell.ring, recheckMs);
  recheck.unref();
  let isOver = false;
  const end = (): void => {
    isOver = true;
    bell.ring();
  };
  const patience = forMs === undefined ? undefined : setTimeout(end, forMs);
  let seq = after;
  try {
    while (!signal.aborted && !isOver) {
      // The bell is armed before reading: an event that is committed while we read rings it.
      const rung = bell.arm();
      const batch = liveEventsAfter(taskId, seq) ?? (await readEvents(taskId, seq));
      const last = batch.at(-1);
      if (!last) {
        await rung;
        continue;
      }
      seq = last.seq;
      yield batch;
      if (isFinal(last.event)) return;
    }
  } finally {
    clearInterval(recheck);
    clearTimeout(patience);
    signal.removeEventListener('abort', bell.ring);
    for (const stop of leave) stop();
  }
}

function createBell(): { arm: () => Promise<void>; ring: () => void } {
  let ring: () => void = () => undefined;
  return {
    arm: () =>
      new Promise((resolve) => {
        ring = resolve;
      }),
    ring: () => ring(),
  };
}
