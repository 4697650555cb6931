import type { CallerActor, Ctx } from '../../platform/context';
import { applyEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type Task } from '../../protocol/a2a/core/model';
import { DEFAULT_WAIT_MS } from '../limits';
import { acquireStreamSlot } from '../log/open-stream';
import { tailTask } from '../log/tail-task';
import type { StoredEvent, TaskRecord } from '../store/records';

/** A task, its last sequence number and its events. */
interface LoadedTask {
  task: Task;
  seq: number;
  events: StoredEvent[];
}

/**
 * Waits until the task has an event after `newerThan` or has ended, and updates `loaded`. Waits at most `waitMs`, and no
 * longer than {@link DEFAULT_WAIT_MS}. Holds one of the caller's stream slots, but no connection of the database; ends
 * when the caller disconnects, when the credential is revoked, and when the node stops.
 * @throws {ParleyError} `too_many_streams`; `unavailable` (failover of the database)
 */
export async function waitForChange(
  { ctx, caller, record }: { ctx: Ctx; caller: CallerActor; record: TaskRecord },
  loaded: LoadedTask,
  { newerThan, waitMs = DEFAULT_WAIT_MS }: { newerThan: number; waitMs?: number },
): Promise<void> {
  if (isPast(loaded, newerThan)) return;
  const { signal, release } = await acquireStreamSlot(ctx, caller);
  try {
    const timeoutMs = Math.min(waitMs, DEFAULT_WAIT_MS);
    for await (const batch of tailTask(record, loaded.seq, { signal, timeoutMs })) {
      for (const stored of batch) {
        applyEvent(loaded.task, stored.event);
        loaded.events.push(stored);
        loaded.seq = stored.seq;
      }
      if (isPast(loaded, newerThan)) return;
    }
  } finally {
    release();
  }
}

function isPast({ seq, task }: LoadedTask, newerThan: number): boolean {
  return seq > newerThan || isTerminal(task.status.state);
}
