import type { AgentRecord } from '../../catalog';
import { nodeId } from '../../platform/bus';
import type { CallerActor, Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { newUuid, newUuidV7 } from '../../platform/ids';
import { failpoint } from '../../platform/runtime/failpoint';
import { applyEvent, foldTask, type TaskEvent } from '../../protocol/a2a/core/events';
import type { MessageSource } from '../../protocol/a2a/core/message-origin';
import { isTerminal, type Message, type Task } from '../../protocol/a2a/core/model';
import { abortRun } from '../active/active-runs';
import { ownerOf } from '../authorization';
import { generationMismatch, taskBusy, taskNotFound, taskTerminal } from '../errors';
import { REPLY_MAX_STALE_MS } from '../limits';
import type { Turn } from '../log/turn';
import { savePushConfig } from '../push/push-configs';
import { isAwaitingCaller, refreshForReader } from '../recovery/refresh-interrupted-tasks';
import type { QueuedSend, Run, RunSource } from '../runs/run-source';
import { deriveIdempotencyKey, findIdempotentTurn, type SendInput } from '../runs/send-input';
import { type Append, appendEvents, appendWithIdempotencyKey } from '../store/append-events';
import { createTask } from '../store/create-task';
import { findTask, type Owner } from '../store/find-tasks';
import { ownContextIdOf, type TaskRecord, upstreamContextOf } from '../store/records';
import { scopeKey } from '../store/send-keys';
import { findLastSeq, loadTask } from '../store/task-events';
import { withAnsweredElicitations } from './answered-elicitations';

/** A permitted send. */
interface TurnCall {
  ctx: Ctx;
  caller: CallerActor;
  input: SendInput;
  /** The message with the agent's ids for referenced tasks. */
  agentMessage: Message;
  source: MessageSource;
  /** Set for an agent whose runs may wait until it is online. */
  queued: QueuedSend | null;
  runSource: RunSource;
}

/**
 * The turn, and the run to start: null if the same send started the turn earlier, `waits` if the agent begins the run.
 */
type StartedTurn = { turn: Turn; run: Run | null | 'waits' };

/** Creates the task of a send with its first turn. `newTaskId` is its id, by default a new one. */
export async function startTask(call: TurnCall, newTaskId = newUuidV7(call.ctx.now)): Promise<StartedTurn> {
  const { ctx, caller, input, agentMessage, queued, source } = call;
  const { agent, request } = input;
  const contextId = request.message.contextId ?? newUuidV7(ctx.now);
  const id = input.clientTask?.taskId ?? newTaskId;
  const message: Message = { ...request.message, taskId: id, contextId };
  const timestamp = ctx.now.toISOString();
  const events: [TaskEvent, TaskEvent] = [
    { type: 'message', message, source, taskMetadata: input.clientTask?.metadata },
    {
      type: 'status',
      status: { state: 'submitted', message: queued?.offline ? waitingMessage(id, contextId) : undefined, timestamp },
    },
  ];
  const { principal, credentialId, clientId, delegation = null } = caller;
  const idempotencyKey = deriveIdempotencyKey(input);
  const ownContextId = ownContextIdOf({ principal, agentId: agent.id, contextId, delegation });
  const queuedTurn = { principal, taskId: id, contextId, ownContextId, message: agentMessage, turnSeq: 2 };
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
    hubRun: queued?.prepare(input, queuedTurn),
    at: ctx.now,
  });
  // Computed while the database writes.
  const record: TaskRecord = {
    id,
    principal,
    agentId: agent.id,
    contextId,
    upstreamContextId: null,
    ownContextId,
    upstreamTaskId: null,
    credentialId,
    clientId,
    delegation,
    state: 'submitted',
    stateAt: ctx.now,
    lastSeq: 2,
    runNode: nodeId(),
    createdAt: ctx.now,
    streamKey: null,
  };
  const fold = (): Task => foldTask({ id, contextId, createdAt: timestamp }, events);
  const turn: Turn = { record, task: fold(), seq: 2 };
  const run = toRun(call, record, fold());
  const created = await creating;
  if (!created) {
    const earlier = await findIdempotentTurn(caller, idempotencyKey);
    if (earlier) return { turn: earlier, run: null };
    throw new ParleyError('conflict', 'Another request used this task ID at the same time. Try again.');
  }
  failpoint('turn.stored');
  // `turn` and `run` share the record.
  if (request.message.contextId !== undefined) Object.assign(record, upstreamContextOf(record, created));
  if (request.configuration.push) await saveRequestedPush(ctx, caller, { input, record });
  return { turn, run };
}

function waitingMessage(taskId: string, contextId: string): Message {
  const parts: Message['parts'] = [{ kind: 'text', text: 'Waiting for the agent to come online.' }];
  return { messageId: newUuid(), role: 'agent', parts, taskId, contextId };
}

/**
 * Appends the reply to an interrupted task, and starts its next turn.
 * @throws {ParleyError} `task_not_found`, `unsupported_operation` (finished), `task_busy`, `invalid_params`,
 *   `generation_mismatch`
 */
export async function continueTask(call: TurnCall): Promise<StartedTurn> {
  const { ctx, caller, input, queued, source } = call;
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
  const { task, seq, events } = await loadTask(record);
  const agentMessage = withAnsweredElicitations(call.agentMessage, events);
  const { ifGenerationMatch } = request.configuration;
  const refusal = generationError(taskId, ifGenerationMatch, seq) ?? rejectionFor(record, task);
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
    principal: owner.principal,
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
    const last = await findLastSeq({ principal: owner.principal, id: taskId });
    throw generationError(taskId, ifGenerationMatch, last ?? seq) ?? taskBusy(taskId);
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
    run: toRun({ ...call, agentMessage }, next, task),
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

/** Returns the error for a condition that the task, at this sequence number, does not meet; null if it does. */
function generationError(taskId: string, expected: number | undefined, seq: number): ParleyError | null {
  return expected === undefined || expected === seq ? null : generationMismatch(taskId, expected, seq);
}

/** Returns the reason why the task accepts no message now; null if it does. */
function rejectionFor({ id, runNode }: TaskRecord, task: Task): ParleyError | null {
  if (isTerminal(task.status.state)) return taskTerminal(id, task.status.state);
  return runNode === null ? null : taskBusy(id);
}

/** Stores the push configuration that the send requests, before the run starts, so that no event is missed. */
async function saveRequestedPush(
  { now }: Ctx,
  caller: CallerActor,
  { input, record }: { input: SendInput; record: TaskRecord },
): Promise<void> {
  const { push } = input.request.configuration;
  if (push) await savePushConfig(record, { target: push, dialect: input.pushDialect ?? '1.0', caller, now });
}

/** Returns the run of a turn that has been written. */
function toRun(
  { ctx, caller, input, agentMessage, queued, runSource }: TurnCall,
  record: TaskRecord,
  task: Task,
): Run | 'waits' {
  const { agent, request, extensions } = input;
  const { requestId, trace } = ctx;
  if (queued) return queued.source ? { record, agent, task, requestId, trace, source: queued.source } : 'waits';
  const { configuration, metadata } = request;
  const send = { message: agentMessage, acceptedOutputModes: configuration.acceptedOutputModes, metadata };
  const key = deriveIdempotencyKey(input)?.key;
  const idempotencyKey = key === undefined ? undefined : scopeKey(ownerOf(caller).delegation, key);
  return { record, agent, task, requestId, trace, send, extensions, idempotencyKey, source: runSource };
}
