import type { StreamItem, TaskStream } from '../gateway';
import type { TaskEvent } from '../protocol/a2a/core/events';
import { endsTurn, type Message } from '../protocol/a2a/core/model';
import type { Dialect } from '../protocol/a2a/dialects';
import { eventText } from './event-text';

type StatusEvent = TaskEvent & { type: 'status' };

/**
 * Writes a stream as Web42 does: it opens with a status, and what the agent answers is a `kind:"message"` event, also where
 * the agent sent it in the status that ends its turn, or before that one.
 */
export function encodeBareEvents(dialect: Dialect, stream: TaskStream): (item: StreamItem) => string[] {
  const { taskId, contextId } = stream;
  const ids = { taskId, contextId };
  const write = (event: TaskEvent): string[] => {
    const text = eventText(dialect, event, ids);
    return text === null ? [] : [text];
  };
  let isOpen = false;
  /** What the agent said in a status that did not end its turn. */
  let progress: Message | undefined;
  let hasReplied = false;
  const writeReply = (message: Message, timestamp: string): string[] => {
    hasReplied = true;
    return write({ type: 'reply', message: { ...message, ...ids }, timestamp });
  };
  const writeStatus = (event: StatusEvent): string[] => {
    const { message, ...status } = event.status;
    if (!endsTurn(status.state)) {
      progress = message ?? progress;
      return write(event);
    }
    const answer = message ?? (hasReplied ? undefined : progress);
    if (!answer) return write(event);
    return [...writeReply(answer, status.timestamp), ...write({ ...event, status })];
  };
  const writeEvent = (event: TaskEvent): string[] => {
    if (event.type === 'status') return writeStatus(event);
    hasReplied ||= event.type === 'reply';
    return write(event);
  };
  return (item) => {
    if ('task' in item) {
      if (isOpen) return [];
      isOpen = true;
      return writeEvent({ type: 'status', status: item.task.status });
    }
    const opening: TaskEvent = { type: 'status', status: { state: 'working', timestamp: new Date().toISOString() } };
    const first = isOpen ? [] : write(opening);
    isOpen = true;
    return [...first, ...writeEvent(item.event)];
  };
}
