import { isUuid } from '../../platform/ids';
import { findContextTasks, findUserTasks, type Owner } from '../store/find-tasks';
import { findTasksOfPrincipals, type OwnedTask } from '../store/principal-tasks';
import { loadTask, readEvents } from '../store/read-events';
import type { StoredEvent, TaskRecord } from '../store/records';

const tasksPerPage = 100;

/** All tasks of these principals, one by one. */
export async function* listTasksOfPrincipals(principals: string[]): AsyncGenerator<OwnedTask> {
  for (let after: string | null = null; ; ) {
    const page: OwnedTask[] = await findTasksOfPrincipals(principals, { after, limit: tasksPerPage });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < tasksPerPage) return;
    after = last.id;
  }
}

/** The tasks in these contexts of one principal at one agent, without their stories. */
export async function listTasksInContexts(owner: Owner, contextIds: string[]): Promise<TaskRecord[]> {
  return (await Promise.all(contextIds.map((contextId) => findContextTasks(owner, contextId)))).flat();
}

/** The story of a task from its beginning, read as it is asked for. The task must be known to be the asker's. */
export async function* streamTaskEvents(taskId: string): AsyncGenerator<StoredEvent> {
  for (let after = 0; ; ) {
    const page = await readEvents(taskId, after);
    if (page.length === 0) return;
    yield* page;
    after = page.at(-1)?.seq ?? after;
  }
}

/** A person's task with its story, at whatever agent; null for what is not theirs. */
export async function getUserTask(where: {
  userId: string;
  taskId: string;
}): Promise<(TaskRecord & { events: StoredEvent[] }) | null> {
  if (!isUuid(where.taskId)) return null;
  const [record] = await findUserTasks(where.userId, where);
  return record ? { ...record, events: (await loadTask(record)).events } : null;
}
