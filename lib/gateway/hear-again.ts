import { shared } from '../platform/registry';
import { applyEvent, foldTask } from '../protocol/a2a/core/events';
import { completedOffers, tellOffers } from './heard-offers';
import { readStory } from './read-own-tasks';
import { findTasksOfPerson } from './store/find-tasks';
import type { TaskRecord } from './store/records';

/** Tasks that this process remembers to have told. */
const mostRemembered = 10_000;

/**
 * Tells again what agents said about paying in a task or context of a person, from the story on disk: a crash may have come
 * between the story and whoever was told. A story that this process has told to its end is told again only once it has gone
 * on, so asking often costs one query. The person must be known to be the asker.
 */
export async function hearAgain(where: { userId: string; taskId?: string; contextId?: string }): Promise<void> {
  const told = toldTo();
  for (const record of await findTasksOfPerson(where.userId, where)) {
    if (told.get(record.id) === record.lastSeq) continue;
    const seq = await tellStory(record);
    told.delete(record.id);
    told.set(record.id, seq);
    const oldest = told.size > mostRemembered ? told.keys().next().value : undefined;
    if (oldest !== undefined) told.delete(oldest);
  }
}

/** The last event of each task that was told; what was told last stands last. */
function toldTo(): Map<string, number> {
  return shared('offers-told', () => new Map());
}

/** Answers the sequence number up to which it told. */
async function tellStory(record: TaskRecord): Promise<number> {
  const { id, contextId, createdAt } = record;
  const task = foldTask({ id, contextId, createdAt: createdAt.toISOString() }, []);
  let told = 0;
  for await (const { seq, event } of readStory(id)) {
    applyEvent(task, event);
    await tellOffers(record, completedOffers(task, [event]));
    told = seq;
  }
  return told;
}
