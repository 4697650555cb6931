import { ParleyError } from '../platform/errors';
import type { TaskState } from '../protocol/a2a/core/model';

/** Returns the same error for an unknown task and for another caller's task. */
export function taskNotFound(taskId: string): ParleyError {
  return new ParleyError('task_not_found', 'Task not found. Check the ID and the token.', {
    data: { task_id: taskId },
  });
}

export function taskTerminal(taskId: string, state: TaskState): ParleyError {
  const text = `The task is ${state} and accepts no more messages. Send without a taskId to start a new task.`;
  return new ParleyError('unsupported_operation', text, { data: { task_id: taskId, state } });
}

/**
 * Returns the error for a send to a finished task by its client task id (A2A 0.1). A canceled task has its own code, as
 * in Orloj.
 */
export function clientTaskTerminal(clientTaskId: string, state: TaskState): ParleyError {
  const text = `The task is ${state} and accepts no more messages. Send with a new ID to start a new task.`;
  const code = state === 'canceled' ? 'task_canceled' : 'task_terminal';
  return new ParleyError(code, text, { data: { task_id: clientTaskId, state } });
}

/** Returns the error for a send with a different body under the client task id of a running task. */
export function duplicateTask(clientTaskId: string): ParleyError {
  const text = 'A task with this ID is already running for a different message. Send with a new ID.';
  return new ParleyError('duplicate_task', text, { data: { task_id: clientTaskId } });
}

export function taskBusy(taskId: string): ParleyError {
  const text = 'The agent is still working on this task. Wait until it asks for input, or cancel the task.';
  return new ParleyError('task_busy', text, { data: { task_id: taskId } });
}

/** Returns the error for a message whose condition the task does not meet (A2A 1.1). */
export function generationMismatch(taskId: string, expected: number, current: number): ParleyError {
  const text = `The task has generation ${current}, not ${expected}. Get it, and decide again.`;
  return new ParleyError('generation_mismatch', text, {
    data: { taskId, expectedGeneration: expected, currentGeneration: current },
  });
}

export function notCancelable({ id, state }: { id: string; state: TaskState }): ParleyError {
  const data = { task_id: id, state, reason: 'not_cancelable' };
  return new ParleyError('task_not_cancelable', `The task is ${state}.`, { data });
}
