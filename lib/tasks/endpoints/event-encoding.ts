import type { TaskEvent } from '../../protocol/a2a/core/events';
import { endsTurn, type Message } from '../../protocol/a2a/core/model';
import type { Dialect } from '../../protocol/a2a/dialects';
import type { StreamItem, TaskStream } from '..';

let encoded: Map<Dialect, Map<TaskEvent, string | null>> | null = null;

/**
 * Returns an event as JSON text in a dialect; null if the dialect's streams omit it. Subscribers of one task are
 * notified in the same turn of the event loop and share the encoded text.
 */
export function eventText(
  dialect: Dialect,
  event: TaskEvent,
  ids: { taskId: string; contextId: string },
): string | null {
  if (!encoded) {
    encoded = new Map();
    setImmediate(() => {
      encoded = null;
    });
  }
  const encodedEvents = encoded.get(dialect) ?? new Map<TaskEvent, string | null>();
  if (encodedEvents.size === 0) encoded.set(dialect, encodedEvents);
  const text = encodedEvents.get(event);
  if (text !== undefined) return text;
  const data = dialect.event(event, ids);
  const json = data === null ? null : JSON.stringify(data);
  encodedEvents.set(event, json);
  return json;
}

type StatusEvent = TaskEvent & { type: 'status' };

/**
 * Encodes a stream as Web42 does. It starts with a status, and the agent's reply is a `kind:"message"` event, even if
 * the agent sent it in a status.
 */
export function encodeBareEvents(dialect: Dialect, stream: TaskStream): (item: StreamItem) => string[] {
  const { taskId, contextId } = stream;
  const ids = { taskId, contextId };
  const write = (event: TaskEvent): string[] => {
    const text = eventText(dialect, event, ids);
    return text === null ? [] : [text];
  };
  let isOpen = false;
  /** The message of the latest status that did not end the turn. */
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
    const reply = message ?? (hasReplied ? undefined : progress);
    if (!reply) return write(event);
    return [...writeReply(reply, status.timestamp), ...write({ ...event, status })];
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
