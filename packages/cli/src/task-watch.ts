import type { StreamEvent, TaskState } from '@parley/agent';

/** A turn's outcome: answered, failed, or a question. */
export type Outcome = 'done' | 'failed' | 'asks';

const outcomes: Partial<Record<TaskState, Outcome>> = {
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_REJECTED: 'failed',
  TASK_STATE_CANCELED: 'failed',
  TASK_STATE_INPUT_REQUIRED: 'asks',
  TASK_STATE_AUTH_REQUIRED: 'asks',
};

/** Tracks the task of a stream by its events. */
export class TaskWatch {
  taskId: string | null = null;
  contextId: string | null = null;
  outcome: Outcome = 'done';

  note(event: StreamEvent): void {
    if ('message' in event) {
      this.contextId = event.message.contextId ?? this.contextId;
      return;
    }
    if ('task' in event) this.setTask(event.task.id, event.task.contextId);
    else if ('statusUpdate' in event) this.setTask(event.statusUpdate.taskId, event.statusUpdate.contextId);
    const status = 'task' in event ? event.task.status : 'statusUpdate' in event ? event.statusUpdate.status : null;
    if (status) this.outcome = outcomes[status.state] ?? 'done';
  }

  private setTask(taskId: string, contextId: string): void {
    this.taskId = taskId;
    this.contextId = contextId;
  }
}
