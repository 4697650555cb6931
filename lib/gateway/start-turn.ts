import type { AgentRecord } from '../catalog';
import { consume } from '../limits';
import { nodeId } from '../platform/bus';
import type { CallerActor, Ctx } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { ParleyError } from '../platform/errors';
import { isUuid, newUuid } from '../platform/ids';
import { applyEvent, foldTask, type TaskEvent } from '../protocol/a2a/core/events';
import { isTerminal, type Message, type Task } from '../protocol/a2a/core/model';
import type { PushDialect } from '../protocol/a2a/core/push';
import type { CoreRequest } from '../protocol/a2a/core/requests';
import type { JsonObject } from '../protocol/json';
import { taskIsBusy, taskIsOver, taskNotFound } from './errors';
import { requireCaller, sendRule } from './policy';
import { checkPushTarget, keepPush } from './push/keep-push';
import type { Run } from './run-state';
import { runTask } from './run-task';
import { appendEvents } from './store/append-events';
import { createTask, type NewName } from './store/create-task';
import { findSendKey, findTask } from './store/find-tasks';
import { loadTask } from './store/read-events';
import type { TaskRecord } from './store/records';
import { takePlaces } from './take-places';
import { requireReachable } from './upstream/breaker';

export interface SendInput {
  agent: AgentRecord;
  request: CoreRequest & { op: 'send' };
  /** `Idempotency-Key` of the request. A UUID `messageId` serves as key when there is none. */
  idempotencyKey?: string;
  /** How pushes that the send asks for are written; 1.0 when unset. */
  pushDialect?: PushDialect;
  /** A send that names its task (A2A 0.1): the id that the task is to get here, and what its metadata says. */
  named?: { taskId: string; name: NewName | null; metadata?: JsonObject };
}

/** A turn that is under way, or the one that the same send began earlier. */
export interface Turn {
  record: TaskRecord;
  /** The task as it stood when the turn began, and its sequence number then. */
  task: Task;
  seq: number;
  /** The first thing the agent says, maybe before it is on disk; null when it says nothing. Only of a turn begun here. */
  firstWord?: Promise<TaskEvent | null>;
}

/**
 * Begins a turn: a new task, or the answer on a task that waits for one. Written to disk before the agent hears of it.
 * The same send under the same key answers with the stored task and never runs twice.
 * @throws {ParleyError} `task_not_found`, `unsupported_operation` (over), `task_busy`, `invalid_params`,
 *   `idempotency_mismatch`, `rate_limited`, `too_many_tasks`, `unavailable` (the agent has enough to do),
 *   `agent_unreachable` while it is known to be down; `conflict` when the task's name was taken meanwhile
 */
export async function startTurn(call: { ctx: Ctx; input: SendInput }): Promise<Turn> {
  const { ctx, input } = call;
  const caller = requireCaller(ctx, input.agent);
  const { push } = input.request.configuration;
  if (push) checkPushTarget(push);
  const admission = consume(sendRule, caller.principal, ctx.now);
  if (admission) await admission;
  requireReachable(input.agent.id, ctx.now);
  const places = takePlaces(caller, input.agent);
  const release = places instanceof Promise ? await places : places;
  try {
    const { turn, run } = input.request.message.taskId
      ? await continueTask(ctx, caller, input)
      : await beginTask(ctx, caller, input);
    if (!run) {
      release();
      return turn;
    }
    turn.firstWord = new Promise<TaskEvent | null>((resolve) => {
      run.heard = resolve;
      void runTask(run).finally(() => {
        release();
        resolve(null);
      });
    });
    return turn;
  } catch (error) {
    release();
    throw error;
  }
}

type Begun = { turn: Turn; run: Run | null };

async function beginTask(ctx: Ctx, caller: CallerActor, input: SendInput): Promise<Begun> {
  const { agent, request } = input;
  const contextId = request.message.contextId ?? newUuid();
  const id = input.named?.taskId ?? newUuid();
  const message: Message = { ...request.message, taskId: id, contextId };
  const events: [TaskEvent, TaskEvent] = [
    { type: 'message', message, taskMetadata: input.named?.metadata },
    { type: 'status', status: { state: 'submitted', timestamp: ctx.now.toISOString() } },
  ];
  const { principal, credentialId, clientId } = caller;
  const sendKey = input.named?.name ? null : sendKeyOf(input);
  const created = await createTask({
    id,
    principal,
    agentId: agent.id,
    contextId,
    upstreamContextId: newUuid(),
    credentialId,
    clientId,
    runNode: nodeId(),
    events,
    sendKey,
    name: input.named?.name ?? null,
    at: ctx.now,
  });
  if (!created) return { turn: await earlierTurn(caller, input, sendKey), run: null };
  const record: TaskRecord = {
    id,
    principal,
    agentId: agent.id,
    contextId,
    upstreamContextId: created.upstreamContextId,
    upstreamTaskId: null,
    credentialId,
    clientId,
    state: 'submitted',
    stateAt: ctx.now,
    lastSeq: 2,
    runNode: nodeId(),
    createdAt: ctx.now,
  };
  await keepAskedPush(ctx, input, record);
  const fold = (): Task => foldTask({ id, contextId, createdAt: ctx.now.toISOString() }, events);
  return { turn: { record, task: fold(), seq: 2 }, run: runOf(ctx, input, { record, task: fold() }) };
}

async function continueTask(ctx: Ctx, caller: CallerActor, input: SendInput): Promise<Begun> {
  const { agent, request } = input;
  const taskId = request.message.taskId ?? '';
  const record = await findTask({ principal: caller.principal, agentId: agent.id }, taskId);
  if (!record) throw taskNotFound(taskId);
  const { contextId } = request.message;
  if (contextId !== undefined && contextId !== record.contextId) {
    throw new ParleyError('invalid_params', 'message.contextId: the task belongs to another context.');
  }
  const { task, seq, events } = await loadTask(record);
  const repeated = events.some(
    ({ event }) => event.type === 'message' && event.message.messageId === request.message.messageId,
  );
  if (repeated && isUuid(request.message.messageId)) return { turn: { record, task, seq }, run: null };
  if (isTerminal(task.status.state)) throw taskIsOver(taskId, task.status.state);
  if (record.runNode !== null) throw taskIsBusy(taskId);
  const added: TaskEvent[] = [
    {
      type: 'message',
      message: { ...request.message, taskId, contextId: record.contextId },
      taskMetadata: input.named?.metadata,
    },
    { type: 'status', status: { state: 'working', timestamp: ctx.now.toISOString() } },
  ];
  await keepAskedPush(ctx, input, { ...record, lastSeq: seq });
  const { credentialId, clientId } = caller;
  const runNode = nodeId();
  const done = await appendEvents({
    taskId,
    after: seq,
    events: added,
    runNode,
    caller: { credentialId, clientId },
    at: ctx.now,
  });
  if (!done) throw taskIsBusy(taskId);
  for (const event of added) applyEvent(task, event);
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
    run: runOf(ctx, input, { record: next, task }),
  };
}

/** Before the turn is run, so that nothing which the agent says is missed. */
async function keepAskedPush(ctx: Ctx, { request, pushDialect = '1.0' }: SendInput, record: TaskRecord): Promise<void> {
  const { push } = request.configuration;
  if (push) await keepPush(record, { target: push, dialect: pushDialect, now: ctx.now });
}

function runOf(ctx: Ctx, { agent, request }: SendInput, { record, task }: { record: TaskRecord; task: Task }): Run {
  const { message, configuration, metadata } = request;
  const send = { message, acceptedOutputModes: configuration.acceptedOutputModes, metadata };
  return { record, agent, task, requestId: ctx.requestId, trace: ctx.trace, send };
}

function sendKeyOf({ idempotencyKey, request }: SendInput): { key: string; bodyHash: string } | null {
  const { message } = request;
  const key = idempotencyKey ?? (isUuid(message.messageId) ? message.messageId : null);
  if (key === null) return null;
  return {
    key,
    bodyHash: sha256(JSON.stringify([message.parts, message.contextId ?? null, message.metadata ?? null])),
  };
}

async function earlierTurn(
  caller: CallerActor,
  { agent }: SendInput,
  sendKey: { key: string; bodyHash: string } | null,
): Promise<Turn> {
  if (!sendKey)
    throw new ParleyError('conflict', 'This task id was taken by another send at the same moment. Try again.');
  const owner = { principal: caller.principal, agentId: agent.id };
  const earlier = await findSendKey(owner, sendKey.key);
  const record = earlier && (await findTask(owner, earlier.taskId));
  if (!record)
    throw new ParleyError('unavailable', 'The earlier send is still being written. Try again.', { retryAfter: 1 });
  if (earlier.bodyHash !== sendKey.bodyHash) {
    const text = 'This key was used for another message. Use a new Idempotency-Key and messageId for a new message.';
    throw new ParleyError('idempotency_mismatch', text, { data: { reason: 'idempotency_mismatch' } });
  }
  const { task, seq } = await loadTask(record);
  return { record, task, seq };
}
