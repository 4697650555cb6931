import type { JsonObject } from '../../json';
import { statusOf, type TaskEvent } from '../core/events';
import type { Task } from '../core/model';
import type { PushDialect } from '../core/requests';
import { toV03Task } from './v03/encode';
import { toV10Event } from './v10/encode';

/** The body of a push. */
interface PushBody {
  contentType: string;
  body: JsonObject;
}

/**
 * The push for an event; null for none. A2A 1.0 §4.3.3: a StreamResponse for every event. 0.3 §9.5: the task on every
 * status change, which includes new artifacts. `task` is the task after the event.
 */
export function toPushBody(dialect: PushDialect, event: TaskEvent, task: Task): PushBody | null {
  if (dialect === '0.3') {
    return statusOf(event) ? { contentType: 'application/json', body: toV03Task(task) } : null;
  }
  const body = toV10Event(event, { taskId: task.id, contextId: task.contextId });
  return body && { contentType: 'application/a2a+json', body };
}
