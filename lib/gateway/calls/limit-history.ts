import type { Task } from '../../protocol/a2a/core/model';

/** The task with at most the last `length` messages of its history; all of them when unset (A2A 1.0 §3.2.4). */
export function limitHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task;
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) };
}
