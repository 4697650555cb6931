import { newUuid } from '../../platform/ids';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Message, Task } from '../../protocol/a2a/core/model';

/** The events, with the reason in a canceled status that has no message. */
export function withCancelReason(events: TaskEvent[], message: Message): TaskEvent[] {
  return events.map((event) => {
    const isBare = event.type === 'status' && event.status.state === 'canceled' && !event.status.message;
    return isBare ? { ...event, status: { ...event.status, message } } : event;
  });
}

/** The caller's reason as the message of a status. */
export function cancelReason({ id: taskId, contextId }: Pick<Task, 'id' | 'contextId'>, text: string): Message {
  return { messageId: newUuid(), role: 'agent', parts: [{ kind: 'text', text }], taskId, contextId };
}
