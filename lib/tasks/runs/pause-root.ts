import { findAgentById } from '../../catalog';
import { newUuid } from '../../platform/ids';
import { env } from '../../platform/runtime/env';
import { errorFields, log } from '../../platform/runtime/log';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Message, Task, TaskState } from '../../protocol/a2a/core/model';
import type { JsonObject } from '../../protocol/json';
import { type ApprovalRecord, findPendingApprovals } from '../store/chain-approvals';
import { write } from './agent-output';
import type { RunState } from './run-source';

/**
 * Pauses a root task while an approval of its chain is pending, and continues it after the last decision. The agent's
 * run continues during the pause. Never throws.
 */
export async function syncPause(state: RunState): Promise<void> {
  const { run, handle, normalizer, writer } = state;
  const { task } = run;
  try {
    const [latest] = (await findPendingApprovals(run.record.principal, [task.id])).reverse();
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
