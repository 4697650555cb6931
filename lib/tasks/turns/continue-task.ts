import type { AgentRecord } from '../../catalog';
import { nodeId } from '../../platform/bus';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { applyEvent, type TaskEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type Task } from '../../protocol/a2a/core/model';
import { abortRun } from '../active/active-runs';
import { ownerOf } from '../authorization';
import { taskBusy, taskNotFound, taskTerminal } from '../errors';
import { REPLY_MAX_STALE_MS } from '../limits';
import type { Turn } from '../log/turn';
import { isAwaitingCaller, refreshForReader } from '../recovery/refresh-interrupted-tasks';
import { deriveIdempotencyKey, findIdempotentTurn } from '../runs/idempotency';
import { type Append, appendEvents, appendWithIdempotencyKey } from '../store/append-events';
import { findTask, type Owner } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import { loadTask } from '../store/task-events';
import { type StartedTurn, saveRequestedPush, type TurnCall, toRun } from './prepare-turn';

/**
 * Appends the reply to an interrupted task, and starts its next turn.
 * @throws {ParleyError} `task_not_found`, `unsupported_operation` (finished), `task_busy`, `invalid_params`
 */
export async function continueTask(call: TurnCall): Promise<StartedTurn> {
  const { ctx, caller, input, agentMessage, queued, source } = call;
  const { agent, request } = input;
  const taskId = request.message.taskId ?? '';
  const idempotencyKey = deriveIdempotencyKey(input);
  const findEarlier = (): Promise<Turn | null> => findIdempotentTurn(caller, idempotencyKey);
  const earlier = await findEarlier();
  if (earlier) return { turn: earlier, run: null };
  const owner = ownerOf(caller);
  const record = await findFreshTask(ctx, { owner, taskId, agent });
  const { contextId } = request.message;
  if (contextId !== undefined && contextId !== record.contextId) {
    throw new ParleyError('invalid_params', 'message.contextId: the task belongs to another context.');
  }
  const { task, seq } = await loadTask(record);
  const refusal = rejectionFor(record, task);
  if (refusal) {
    // The turn that blocks this send may be that of the same send, started concurrently.
    const turn = await findEarlier();
    if (turn) return { turn, run: null };
    throw refusal;
  }
  const newEvents: TaskEvent[] = [
    {
      type: 'message',
      message: { ...request.message, taskId, contextId: record.contextId },
      source,
      taskMetadata: input.clientTask?.metadata,
    },
    { type: 'status', status: { state: 'working', timestamp: ctx.now.toISOString() } },
  ];
  await saveRequestedPush(ctx, caller, { input, record: { ...record, lastSeq: seq } });
  const { credentialId, clientId } = caller;
  const runNode = nodeId();
  const append: Append = {
    taskId,
    after: seq,
    events: newEvents,
    runNode,
    caller: { credentialId, clientId },
    at: ctx.now,
  };
  if (queued)
    append.hub = { start: queued.prepare(input, { ...record, taskId, message: agentMessage, turnSeq: seq + 2 }) };
  const appended = await (idempotencyKey
    ? appendWithIdempotencyKey(append, { ...owner, ...idempotencyKey })
    : appendEvents(append));
  if (!appended) {
    const turn = await findEarlier();
    if (turn) return { turn, run: null };
    throw taskBusy(taskId);
  }
  for (const event of newEvents) applyEvent(task, event);
  // The new stream replaces the trailing one.
  abortRun(taskId);
  const next: TaskRecord = {
    ...record,
    lastSeq: seq + 2,
    state: 'working',
    stateAt: ctx.now,
    runNode,
    credentialId,
    clientId,
  };
  return {
    turn: { record: next, task: structuredClone(task), seq: seq + 2 },
    run: toRun(call, next, task),
  };
}

/** Returns the task, refreshed if it has been interrupted for some time, because the agent may have continued. */
async function findFreshTask(
  ctx: Ctx,
  { owner, taskId, agent }: { owner: Owner; taskId: string; agent: AgentRecord },
): Promise<TaskRecord> {
  const record = await findTask(owner, taskId);
  if (!record) throw taskNotFound(taskId);
  if (!isAwaitingCaller(record) || ctx.now.getTime() - record.stateAt.getTime() < REPLY_MAX_STALE_MS) return record;
  await refreshForReader({ record, agent, minAgeMs: REPLY_MAX_STALE_MS }, ctx);
  return (await findTask(owner, taskId)) ?? record;
}

/** Returns the reason why the task accepts no message now; null if it does. */
function rejectionFor({ id, runNode }: TaskRecord, task: Task): ParleyError | null {
  if (isTerminal(task.status.state)) return taskTerminal(id, task.status.state);
  return runNode === null ? null : taskBusy(id);
}
