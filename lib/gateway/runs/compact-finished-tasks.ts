import { compactTaskEvents } from '../store/compact-task-events';

/** How long a task is over before its events are packed, milliseconds: until then readers may still come back to it. */
const minAgeMs = 3_600_000;
const batchSize = 200;

/**
 * Packs the stories of tasks that are over for an hour. Nothing is lost by it, not even a sequence number: a reader who comes
 * back gets exactly the events after the one it saw last. Safe on several nodes at once.
 */
export async function compactFinishedTasks(now: Date): Promise<number> {
  let compacted = 0;
  for (;;) {
    const count = await compactTaskEvents(new Date(now.getTime() - minAgeMs), batchSize);
    compacted += count;
    if (count < batchSize) return compacted;
  }
}
