import { processSingleton } from '../../platform/singleton';
import { applyEvent, foldTask } from '../../protocol/a2a/core/events';
import { streamTaskEvents } from '../calls/export-tasks';
import { findUserTasks } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import { emitPaymentEvents, extractPaymentParts } from './payment-events';

/** Tasks that this process remembers to have told. */
const maxRemembered = 10_000;

/**
 * Tells again what agents said about paying in a task or context of a person, from the story on disk: a crash may have come
 * between the story and whoever was told. A story that this process has told to its end is told again only once it has gone
 * on, so asking often costs one query. The person must be known to be the asker.
 */
export async function replayPaymentEvents(where: {
  userId: string;
  taskId?: string;
  contextId?: string;
}): Promise<void> {
  const replayed = replayedSeqs();
  for (const record of await findUserTasks(where.userId, where)) {
    if (replayed.get(record.id) === record.lastSeq) continue;
    const seq = await replayTask(record);
    replayed.delete(record.id);
    replayed.set(record.id, seq);
    const oldest = replayed.size > maxRemembered ? replayed.keys().next().value : undefined;
    if (oldest !== undefined) replayed.delete(oldest);
  }
}

/** The last event of each task that was told; what was told last stands last. */
function replayedSeqs(): Map<string, number> {
  return processSingleton('offers-told', () => new Map());
}

/** Answers the sequence number up to which it told. */
async function replayTask(record: TaskRecord): Promise<number> {
  const { id, contextId, createdAt } = record;
  const task = foldTask({ id, contextId, createdAt: createdAt.toISOString() }, []);
  let lastSeq = 0;
  for await (const { seq, event } of streamTaskEvents(id)) {
    applyEvent(task, event);
    await emitPaymentEvents(record, extractPaymentParts(task, [event]));
    lastSeq = seq;
  }
  return lastSeq;
}
