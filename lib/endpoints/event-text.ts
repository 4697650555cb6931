import type { TaskEvent } from '../protocol/a2a/core/events';
import type { Dialect } from '../protocol/a2a/dialects';

let written: Map<Dialect, Map<TaskEvent, string | null>> | null = null;

/**
 * An event in a dialect, as JSON text; null for what the dialect's streams do not carry. Readers of one task are woken together:
 * within a turn of the event loop they share the text.
 */
export function eventText(
  dialect: Dialect,
  event: TaskEvent,
  ids: { taskId: string; contextId: string },
): string | null {
  if (!written) {
    written = new Map();
    setImmediate(() => {
      written = null;
    });
  }
  const known = written.get(dialect) ?? new Map<TaskEvent, string | null>();
  if (known.size === 0) written.set(dialect, known);
  const text = known.get(event);
  if (text !== undefined) return text;
  const data = dialect.event(event, ids);
  const made = data === null ? null : JSON.stringify(data);
  known.set(event, made);
  return made;
}
