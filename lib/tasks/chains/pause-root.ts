import { findAgentById } from '../../catalog';
import { onConnectionGap, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { newUuid } from '../../platform/ids';
import { createWakeup } from '../../platform/runtime/abort';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Message, Task, TaskState } from '../../protocol/a2a/core/model';
import type { JsonObject } from '../../protocol/json';
import { APPROVAL_POLL_MS, APPROVAL_RETRY_AFTER_SECONDS } from '../limits';
import { type RunState, write } from '../runs/run-state';
import { type ApprovalRecord, findApproval, findPendingApprovals } from '../store/chain-approvals';

/**
 * Pauses a root task while an approval of its chain is pending, and continues it after the last decision. The agent's
 * run continues during the pause. Never throws.
 */
export async function syncPause(state: RunState): Promise<void> {
  const { run, handle, normalizer, writer } = state;
  const { task } = run;
  try {
    const [latest] = (await findPendingApprovals([task.id])).reverse();
    if (handle.paused === (latest !== undefined) || handle.controller.aborted) return;
    const event = latest ? await pauseEvent(task, latest) : statusEvent('working');
    // Read again after the wait, because the turn may have ended, or a concurrent call may have changed it.
    if (normalizer.turnEnded || writer.superseded || handle.paused === (latest !== undefined)) return;
    handle.paused = latest !== undefined;
    await write(state, [event]);
  } catch (error) {
    log.warn('chain.pause_failed', { taskId: task.id, ...errorFields(error) });
  }
}

function statusEvent(state: TaskState, message?: Message): TaskEvent & { type: 'status' } {
  return { type: 'status', status: { state, message, timestamp: new Date().toISOString() } };
}

async function pauseEvent({ id: taskId, contextId }: Task, approval: ApprovalRecord): Promise<TaskEvent> {
  const [from, to] = await Promise.all([nameOf(approval.fromAgentId), nameOf(approval.agentId)]);
  const url = chainUrlOf(taskId);
  const data: JsonObject = { approvalId: approval.id, reasons: approval.reasons, from, to, url };
  const parts: Message['parts'] = [
    { kind: 'text', text: `${from} wants to call ${to} for you. Allow or deny it: ${url}` },
    { kind: 'data', data },
  ];
  const message: Message = { messageId: newUuid(), role: 'agent', parts, taskId, contextId };
  return { ...statusEvent('auth-required', message), isPause: true };
}

async function nameOf(agentId: string): Promise<string> {
  return (await findAgentById(agentId))?.name ?? 'An agent';
}

/** Returns the URL of the page for the user's decision. */
function chainUrlOf(rootTaskId: string): string {
  return `${env().APP_URL}/chat/chains/${rootTaskId}`;
}

/**
 * Waits for the decision about a call for at most APPROVAL_POLL_MS, after which the call may no longer require one.
 * @throws {ParleyError} `approval_denied`; `approval_pending` at `deadline` (monotonic, milliseconds), and if the
 *   sender disconnects
 */
export async function waitForApproval(
  { id, rootTaskId }: ApprovalRecord,
  { signal, deadline }: { signal: AbortSignal; deadline: number },
): Promise<void> {
  const wakeup = createWakeup();
  const unsubscribes = [subscribe('chain', rootTaskId, wakeup.notify), onConnectionGap(wakeup.notify)];
  signal.addEventListener('abort', wakeup.notify, { once: true });
  // Set by the timer and not compared with the clock, because a timer may fire a millisecond early.
  let isPollDue = false;
  const timer = setTimeout(
    () => {
      isPollDue = true;
      wakeup.notify();
    },
    Math.min(APPROVAL_POLL_MS, deadline - performance.now()),
  );
  try {
    for (;;) {
      const woken = wakeup.arm();
      const decision = (await findApproval(rootTaskId, id))?.decision;
      if (decision === 'denied') throw approvalDenied();
      if (signal.aborted || (decision === null && performance.now() >= deadline)) throw approvalPending(id);
      if (decision !== null || isPollDue) return;
      await woken;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', wakeup.notify);
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
}

export function approvalDenied(): ParleyError {
  return new ParleyError('approval_denied', 'The user did not allow this call. Continue without it.');
}

function approvalPending(id: string): ParleyError {
  const text = 'The user was asked to allow this call and has not decided yet. Send the same message again later.';
  const data = { approval_id: id };
  return new ParleyError('approval_pending', text, { data, retryAfter: APPROVAL_RETRY_AFTER_SECONDS });
}
