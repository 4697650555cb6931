import { publishCommitted } from '../../platform/bus';
import { isDatabaseUnavailable } from '../../platform/db/database-errors';
import { type LightAbortController, sleep } from '../../platform/runtime/abort';
import { errorFields, log } from '../../platform/runtime/log';
import { WRITE_BACKOFF_INITIAL_MS, WRITE_BACKOFF_MAX_MS, WRITE_RETRY_TIMEOUT_MS } from '../limits';
import { type Append, appendEvents, wasAppended } from '../store/append-events';
import { findOwner } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';

/**
 * Appends events of a run, and retries while the database is unavailable. Reading from the agent is paused, so that no
 * event is lost. The result is that of {@link appendEvents}.
 * @throws the database error after WRITE_RETRY_TIMEOUT_MS, or if the run is aborted
 */
export function persistEvents(append: Append, controller: LightAbortController): Promise<boolean> {
  return appendEvents(append).catch((error) => retryAppend(append, controller, error));
}

/**
 * Like {@link persistEvents}, for events of the run of `task`. If an account has taken the conversation of a guest over
 * during the turn, the task gets its new owner.
 */
export async function persistOwnEvents(
  task: TaskRecord,
  append: Append,
  controller: LightAbortController,
): Promise<boolean> {
  if (await persistEvents(append, controller)) return true;
  const principal = task.principal.startsWith('gst_') ? await findOwner(task.id) : null;
  if (principal === null || principal === task.principal) return false;
  task.principal = principal;
  return persistEvents({ ...append, principal }, controller);
}

async function retryAppend(append: Append, controller: LightAbortController, failure: unknown): Promise<boolean> {
  let error = failure;
  for (let wait = WRITE_BACKOFF_INITIAL_MS, waited = 0; ; wait = Math.min(wait * 2, WRITE_BACKOFF_MAX_MS)) {
    if (!isDatabaseUnavailable(error) || waited > WRITE_RETRY_TIMEOUT_MS || controller.aborted) throw error;
    log.warn('task.write_retried', { taskId: append.taskId, ...errorFields(error) });
    await sleep(wait, controller);
    waited += wait;
    try {
      if (!(await wasAppended(append))) return await appendEvents(append);
      append.onCommit?.(false);
      publishCommitted('task', append.taskId);
      return true;
    } catch (retryError) {
      error = retryError;
    }
  }
}
