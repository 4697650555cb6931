import type { TaskEvent } from '../protocol/a2a/core/events';
import type { Dialect } from '../protocol/a2a/dialects';

let encoded: Map<Dialect, Map<TaskEvent, string | null>> | null = null;

/**
 * An event in a dialect, as JSON text; null for what the dialect's streams do not carry. Readers of one task are woken together:
 * within a turn of the event loop they share the text.
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
