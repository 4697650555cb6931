import type { AgentRecord } from '../../catalog';
import { consume } from '../../limits';
import { nodeId } from '../../platform/bus';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newUuidV7 } from '../../platform/ids';
import { applyEvent, foldTask, type TaskEvent } from '../../protocol/a2a/core/events';
import { isTerminal, type Message, type Task } from '../../protocol/a2a/core/model';
import { ownerOf, requireCaller } from '../authorization';
import { taskBusy, taskNotFound, taskTerminal } from '../errors';
import { REPLY_MAX_STALE_MS } from '../limits';
import { checkPushTarget, savePushConfig } from '../push/push-configs';
import { sendRateLimit } from '../rate-limits';
import { type Append, appendEvents, appendWithIdempotencyKey } from '../store/append-events';
import { createTask } from '../store/create-task';
import { findTask, type Owner } from '../store/find-tasks';
import { scopeKey } from '../store/idempotency-keys';
import { ownContextIdOf, type TaskRecord, upstreamContextOf } from '../store/records';
import { loadTask } from '../store/task-events';
import { requireReachable } from '../upstream/circuit-breaker';
import { abortRun } from './active-runs';
import { deriveIdempotencyKey, findIdempotentTurn } from './idempotency';
import { isAwaitingCaller, refreshForReader } from './refresh-interrupted-tasks';
import type { Run } from './run-state';
import { startRun } from './run-task';
import { acquireTaskSlots } from './task-slots';
import type { SendInput, Turn } from './turn';
import { toAgentReferences } from './upstream-task-ids';

/**
 * Starts a turn: a new task, or the reply to an interrupted one. Persisted before the agent is called. The same send
 * under the same key returns the stored task and never runs twice.
 * @throws {ParleyError} `task_not_found`, `unsupported_operation` (finished), `task_busy`, `invalid_params`,
 *   `idempotency_mismatch`, `rate_limited`, `too_many_tasks`, `unavailable` (agent at its limit), `agent_unreachable`
 *   (breaker open), `conflict` (client task id taken concurrently)
 */
export async function startTurn({ ctx, input }: { ctx: Ctx; input: SendInput }): Promise<Turn> {
  const caller = requireCaller(ctx, input.agent);
  const { push } = input.request.configuration;
  if (push) checkPushTarget(push);
  const admission = consume(sendRateLimit, caller.principal, ctx.now);
  if (admission) await admission;
  let release: () => void;
  try {
    requireReachable(input.agent.id, ctx.now);
    const slots = acquireTaskSlots(caller, input.agent);
    release = slots instanceof Promise ? await slots : slots;
  } catch (refusal) {
    // Returning an earlier send needs nothing from the agent.
    const earlier = await findIdempotentTurn(caller, deriveIdempotencyKey(input));
    if (!earlier) throw refusal;
    return earlier;
  }
  try {
    const { message } = input.request;
    const agentMessage = message.referenceTaskIds
      ? await toAgentReferences(message, { agent: input.agent, owner: ownerOf(caller) })
      : message;
    const call = { ctx, caller, input, agentMessage };
    const { turn, run } = message.taskId ? await continueTask(call) : await startTask(call);
    if (!run) {
      release();
      return turn;
    }
    turn.handle = startRun(run);
    turn.handle.onEnd(release);
    return turn;
  } catch (error) {
    release();
    throw error;
  }
}

/** An admitted send. */
interface TurnCall {
  ctx: Ctx;
  caller: CallerActor;
  input: SendInput;
  /** The message with the agent's ids for referenced tasks. */
  agentMessage: Message;
}

/** The turn, and the run to start; null when the same send started the turn earlier. */
type StartedTurn = { turn: Turn; run: Run | null };

async function startTask(call: TurnCall): Promise<StartedTurn> {
  const { ctx, caller, input } = call;
  const { agent, request } = input;
  const contextId = request.message.contextId ?? newUuidV7(ctx.now);
  const id = input.clientTask?.taskId ?? newUuidV7(ctx.now);
  const message: Message = { ...request.message, taskId: id, contextId };
  const timestamp = ctx.now.toISOString();
  const events: [TaskEvent, TaskEvent] = [
    { type: 'message', message, taskMetadata: input.clientTask?.metadata },
    { type: 'status', status: { state: 'submitted', timestamp } },
  ];
  const { principal, credentialId, clientId, delegation = null } = caller;
  const idempotencyKey = deriveIdempotencyKey(input);
  const creating = createTask({
    id,
    principal,
    agentId: agent.id,
    contextId,
    opensContext: request.message.contextId === undefined,
    credentialId,
    clientId,
    delegation,
    runNode: nodeId(),
    events,
    idempotencyKey,
    idClaim: input.clientTask?.idClaim ?? null,
    at: ctx.now,
  });
  // Computed while the database writes.
  const record: TaskRecord = {
    id,
    principal,
    agentId: agent.id,
    contextId,
    upstreamContextId: null,
    ownContextId: ownContextIdOf({ principal, agentId: agent.id, contextId, delegation }),
    upstreamTaskId: null,
    credentialId,
    clientId,
    delegation,
    state: 'submitted',
    stateAt: ctx.now,
    lastSeq: 2,
    runNode: nodeId(),
    createdAt: ctx.now,
  };
  const fold = (): Task => foldTask({ id, contextId, createdAt: timestamp }, events);
  const turn: Turn = { record, task: fold(), seq: 2 };
  const run = toRun(call, record, fold());
  const created = await creating;
  if (!created) {
    const earlier = await findIdempotentTurn(caller, idempotencyKey);
    if (earlier) return { turn: earlier, run: null };
    throw new ParleyError('conflict', 'This task id was taken by another send at the same moment. Try again.');
  }
  // `turn` and `run` share the record.
  if (request.message.contextId !== undefined) Object.assign(record, upstreamContextOf(record, created));
  if (request.configuration.push) await saveRequestedPush(ctx, caller, { input, record });
  return { turn, run };
}

async function continueTask(call: TurnCall): Promise<StartedTurn> {
  const { ctx, caller, input } = call;
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
    // The turn that blocks this send may be the same send, started concurrently.
    const turn = await findEarlier();
    if (turn) return { turn, run: null };
    throw refusal;
  }
  const newEvents: TaskEvent[] = [
    {
      type: 'message',
      message: { ...request.message, taskId, contextId: record.contextId },
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

/** The task, refreshed when it has been interrupted for a while: the agent may have continued. */
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

/** Why the task accepts no message now; null when it does. */
function rejectionFor({ id, runNode }: TaskRecord, task: Task): ParleyError | null {
  if (isTerminal(task.status.state)) return taskTerminal(id, task.status.state);
  return runNode === null ? null : taskBusy(id);
}

/** Saved before the run starts, so that no event is missed. */
async function saveRequestedPush(
  { now }: Ctx,
  caller: CallerActor,
  { input, record }: { input: SendInput; record: TaskRecord },
): Promise<void> {
  const { push } = input.request.configuration;
  if (push) await savePushConfig(record, { target: push, dialect: input.pushDialect ?? '1.0', caller, now });
}

function toRun({ ctx, caller, input, agentMessage }: TurnCall, record: TaskRecord, task: Task): Run {
  const { agent, request, extensions } = input;
  const { configuration, metadata } = request;
  const send = { message: agentMessage, acceptedOutputModes: configuration.acceptedOutputModes, metadata };
  const { requestId, trace } = ctx;
  const key = deriveIdempotencyKey(input)?.key;
  const idempotencyKey = key === undefined ? undefined : scopeKey(ownerOf(caller).delegation, key);
  return { record, agent, task, requestId, trace, send, extensions, idempotencyKey };
}
