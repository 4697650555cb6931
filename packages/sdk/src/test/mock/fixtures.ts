import type { Message, StreamEvent, Task } from '../../wire.js';
import type { MockTurn } from './mock-turns.js';

/** A recorded answer, as JSON to store next to a test. */
export interface Fixture {
  format: 'parley-fixture-1';
  /** The text of the message that led to it. */
  message: string;
  /** In the form of A2A 1.0. */
  events: StreamEvent[];
}

/** A stored task, or the events of a stream in the form of A2A 1.0. */
export type Recorded = Task | { task: Task } | StreamEvent[];

/**
 * Returns a fixture of a real task: of its JSON (such as `GetTask` and `parley send --json` return it) or of its events.
 * `message` is the text that led to it; by default, the first message of the task's history.
 * @throws {TypeError} for a value that is neither, or without a message
 */
export function record(recorded: Recorded, { message }: { message?: string } = {}): Fixture {
  const events = Array.isArray(recorded) ? recorded : eventsOf('task' in recorded ? recorded.task : recorded);
  const task = events.flatMap((event) => ('task' in event ? [event.task] : []))[0];
  const text = message ?? textOf(task?.history?.find(({ role }) => role === 'ROLE_USER'));
  if (events.length === 0) throw new TypeError('record: expected a task, or at least one event');
  if (text === undefined) throw new TypeError('record: the history has no message; pass `message`');
  return { format: 'parley-fixture-1', message: text, events };
}

function eventsOf(task: Task): StreamEvent[] {
  if (!task?.id || !task.status) throw new TypeError('record: expected a task of A2A 1.0, with id and status');
  const { id: taskId, contextId, artifacts = [], status } = task;
  const ids = { taskId, contextId };
  const { history } = task;
  const begin: StreamEvent = { task: { id: taskId, contextId, status: { state: 'TASK_STATE_SUBMITTED' }, history } };
  const updates = artifacts.map((artifact): StreamEvent => ({ artifactUpdate: { ...ids, artifact, lastChunk: true } }));
  return [begin, ...updates, { statusUpdate: { ...ids, status } }];
}

function textOf(message: Message | undefined): string | undefined {
  return message?.parts.flatMap(({ text }) => text ?? []).join('\n');
}

/**
 * Returns a turn of a mock agent that answers the recorded message with the recorded events, with new ids.
 * `when` replaces the message; `delayMs` is the time between two events.
 */
export function replay(
  { message, events }: Fixture,
  options: { when?: MockTurn['when']; delayMs?: number } = {},
): MockTurn {
  const { when = message, delayMs = 0 } = options;
  // The mock agent begins with the task itself.
  const sent = events.filter((event, index) => !('task' in event && index === 0 && events.length > 1));
  const reply = sent.flatMap((event) => (delayMs > 0 ? [{ delayMs }, event] : [event]));
  return { when, reply };
}
