import type { JsonObject } from '../../json';
import { statusOf, type TaskEvent } from '../core/events';
import type { Task } from '../core/model';
import type { PushDialect } from '../core/push';
import { toV03Task } from './v03/encode';
import { toV10Event } from './v10/encode';

/** A push as its receiver reads it. */
interface PushBody {
  contentType: string;
  body: JsonObject;
}

/**
 * What is pushed of an event; null when nothing is. A2A 1.0 §4.3.3: a StreamResponse of every event. 0.3 §9.5: the task,
 * whenever its state changes; artifacts come with the next state. `task` is the task after the event.
 */
export function toPushBody(dialect: PushDialect, event: TaskEvent, task: Task): PushBody | null {
  if (dialect === '0.3') {
    return statusOf(event) ? { contentType: 'application/json', body: toV03Task(task) } : null;
  }
  const body = toV10Event(event, { taskId: task.id, contextId: task.contextId });
  return body && { contentType: 'application/a2a+json', body };
}
