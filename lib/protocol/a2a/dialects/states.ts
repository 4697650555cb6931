import type { TaskState } from '../core/model';

const names: Record<TaskState, string> = {
  submitted: 'TASK_STATE_SUBMITTED',
  working: 'TASK_STATE_WORKING',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
  'auth-required': 'TASK_STATE_AUTH_REQUIRED',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
  rejected: 'TASK_STATE_REJECTED',
};

/** Returns the enum name in A2A 1.0. */
export function toV10State(state: TaskState): string {
  return names[state];
}

/** Orloj's names of task states. */
const phases: Record<string, TaskState> = {
  pending: 'submitted',
  running: 'working',
  waitingapproval: 'input-required',
  succeeded: 'completed',
};

/**
 * Returns the state for any spelling and case: 0.3 strings, 1.0 enum names, `cancelled`, Orloj's phases. Undefined for
 * other text.
 */
export function stateFromText(text: string): TaskState | undefined {
  const plain = text
    .toLowerCase()
    .replace(/^task_state_/, '')
    .replaceAll('_', '-')
    .replace('cancelled', 'canceled');
  if (plain === 'unknown' || plain === 'unspecified') return 'working';
  if (Object.hasOwn(phases, plain)) return phases[plain];
  return Object.hasOwn(names, plain) ? (plain as TaskState) : undefined;
}
