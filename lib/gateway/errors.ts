import { ParleyError } from '../platform/errors';
import type { TaskState } from '../protocol/a2a/core/model';

/** Unknown tasks and those of others are answered alike. */
export function taskNotFound(taskId: string): ParleyError {
  return new ParleyError('task_not_found', 'There is no such task.', { data: { task_id: taskId } });
}

export function taskIsOver(taskId: string, state: TaskState): ParleyError {
  const text = `The task is ${state} and takes no more messages. Send without a taskId to begin a new one.`;
  return new ParleyError('unsupported_operation', text, { data: { task_id: taskId, state } });
}

export function taskIsBusy(taskId: string): ParleyError {
  const text = 'The agent is still working on this task. Wait until it asks for input, or cancel it.';
  return new ParleyError('task_busy', text, { data: { task_id: taskId } });
}
