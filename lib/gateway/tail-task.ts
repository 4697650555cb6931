import { onGap } from '../platform/bus';
import { shared } from '../platform/registry';
import { isFinal } from '../protocol/a2a/core/events';
import { hearTask } from './hear-task';
import { liveEventsAfter } from './live-tasks';
import { readEvents } from './store/read-events';
import type { StoredEvent } from './store/records';

/** How often a tail looks by itself, should a notice from another node have been lost. */
const recheckMs = 5_000;

/** Tails with a time limit, which whoever waits for an answer reads. */
interface Waits {
  ends: Set<() => void>;
  isOver: boolean;
}

function waits(): Waits {
  return shared('task-waits', () => ({ ends: new Set(), isOver: false }));
}

/** Has everybody who waits for the end of a turn be answered with the task as it stands. For the end of the process. */
export function endWaits(): void {
  const all = waits();
  all.isOver = true;
  for (const end of all.ends) end();
}

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
  let isOver = forMs !== undefined && waits().isOver;
  const end = (): void => {
    isOver = true;
    bell.ring();
  };
  const patience = forMs === undefined ? undefined : setTimeout(end, forMs);
  if (forMs !== undefined) waits().ends.add(end);
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
    waits().ends.delete(end);
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
