import type { ThreadEvent, ThreadTask } from '@/lib/chat/schema-thread';
import type { TaskEvent } from '@/lib/protocol/a2a/core/events';
import type { Message, Part, TaskState } from '@/lib/protocol/a2a/core/model';

export const taskId = 'a3bb189e-8bf9-4888-9912-ace4e6543002';

export function userMessage(text: string, messageId = `said ${text}`): TaskEvent {
  return { type: 'message', message: { messageId, role: 'user', parts: [{ kind: 'text', text }] } };
}

/** A status from the agent; with `reason`, one written by Parley. */
export function status(state: TaskState, text?: string, reason?: string): TaskEvent {
  const message: Message | undefined =
    text === undefined ? undefined : { messageId: `${state} ${text}`, role: 'agent', parts: [{ kind: 'text', text }] };
  return {
    type: 'status',
    status: { state, message, timestamp: '2026-11-20T12:00:00.000Z' },
    ...(reason && { metadata: { 'parley.error': reason } }),
  };
}

/** A status with a message of this id, as sent by agents that stream text in status updates. */
export function update(state: TaskState, messageId: string, text: string): TaskEvent {
  const message: Message = { messageId, role: 'agent', parts: [{ kind: 'text', text }] };
  return { type: 'status', status: { state, message, timestamp: '2026-11-20T12:00:00.000Z' } };
}

/** The question repeated after a rejected reply. */
export function refused(question: string, messageId: string, text = 'The agent returned an error: no'): TaskEvent {
  const event = status('input-required', question, 'invalid_params') as TaskEvent & { type: 'status' };
  return { ...event, refusal: { code: 'invalid_params', text, messageId, retryable: false } };
}

export function chunk(
  text: string,
  options: { id?: string; append?: boolean; last?: boolean; name?: string } = {},
): TaskEvent {
  const { id = 'answer', append = false, last = false, name } = options;
  return artifact([{ kind: 'text', text }], { id, append, last, name });
}

export function artifact(
  parts: Part[],
  {
    id = 'answer',
    append = false,
    last = true,
    name,
  }: { id?: string; append?: boolean; last?: boolean; name?: string } = {},
): TaskEvent {
  return { type: 'artifact', artifact: { artifactId: id, parts, ...(name && { name }) }, append, lastChunk: last };
}

/** Events as stored, numbered from `first`. */
export function numbered(events: TaskEvent[], first = 1): ThreadEvent[] {
  return events.map((event, index) => ({ seq: first + index, event }));
}

/** A task with these events. */
export function task(events: TaskEvent[], id = taskId, createdAt = '2026-11-20T12:00:00.000Z'): ThreadTask {
  return { id, createdAt, events: numbered(events) };
}
