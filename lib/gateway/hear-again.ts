import { applyEvent, foldTask } from '../protocol/a2a/core/events';
import { completedOffers, tellOffers } from './heard-offers';
import { readStory } from './read-own-tasks';
import { findTasksOfPerson } from './store/find-tasks';
import type { TaskRecord } from './store/records';

/**
 * Tells again what agents said about paying in a task or context of a person, from the story on disk: a crash may have come
 * between the story and whoever was told. The person must be known to be the asker.
 */
export async function hearAgain(where: { userId: string; taskId?: string; contextId?: string }): Promise<void> {
  for (const record of await findTasksOfPerson(where.userId, where)) await tellStory(record);
}

async function tellStory(record: TaskRecord): Promise<void> {
  const { id, contextId, createdAt } = record;
  const task = foldTask({ id, contextId, createdAt: createdAt.toISOString() }, []);
  for await (const { event } of readStory(id)) {
    applyEvent(task, event);
    await tellOffers(record, completedOffers(task, [event]));
  }
}
