import type { AgentRecord } from '../catalog';
import { consume, takeSlot } from '../limits';
import { nodeId } from '../platform/bus';
import type { CallerActor, Ctx } from '../platform/context';
import { sha256 } from '../platform/crypto';
import { ParleyError } from '../platform/errors';
import { isUuid, newUuid } from '../platform/ids';
import { applyEvent, foldTask, type TaskEvent } from '../protocol/a2a/core/events';
import { isTerminal, type Message, type Task } from '../protocol/a2a/core/model';
import type { CoreRequest } from '../protocol/a2a/core/requests';
import { taskIsBusy, taskIsOver, taskNotFound } from './errors';
import { MAX_LIVE_TASKS, requireCaller, sendRule } from './policy';
import type { Run } from './run-state';
import { runTask } from './run-task';
import { appendEvents } from './store/append-events';
import { createTask } from './store/create-task';
import { findSendKey, findTask } from './store/find-tasks';
import { loadTask } from './store/read-events';
import type { TaskRecord } from './store/records';

export interface SendInput {
  agent: AgentRecord;
  request: CoreRequest & { op: 'send' };
  /** `Idempotency-Key` of the request. A UUID `messageId` serves as key when there is none. */
  idempotencyKey?: string;
}

/** A turn that is under way, or the one that the same send began earlier. */
export interface Turn {
  record: TaskRecord;
  /** The task as it stood when the turn began, and its sequence number then. */
  task: Task;
  seq: number;
}

/**
 * Begins a turn: a new task, or the answer on a task that waits for one. Written to disk before the agent hears of it.
 * The same send under the same key answers with the stored task and never runs twice.
 * @throws {ParleyError} `task_not_found`, `unsupported_operation` (over), `task_busy`, `invalid_params`,
 *   `idempotency_mismatch`, `rate_limited`, `too_many_tasks`
 */
export async function startTurn(call: { ctx: Ctx; input: SendInput }): Promise<Turn> {
  const { ctx, input } = call;
  const caller = requireCaller(ctx, input.agent);
  consume(sendRule, caller.principal, ctx.now);
  const release = takeSlot('live-tasks', caller.principal, MAX_LIVE_TASKS);
  if (!release) {
    const text = `${MAX_LIVE_TASKS} of your tasks are being worked on. Wait for one to end.`;
    throw new ParleyError('too_many_tasks', text, { retryAfter: 5 });
  }
  try {
    const { turn, run } = input.request.message.taskId
      ? await continueTask(ctx, caller, input)
      : await beginTask(ctx, caller, input);
    if (run) void runTask(run).finally(release);
    else release();
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
  const id = newUuid();
  const message: Message = { ...request.message, taskId: id, contextId };
  const events: [TaskEvent, TaskEvent] = [
    { type: 'message', message },
    { type: 'status', status: { state: 'submitted', timestamp: ctx.now.toISOString() } },
  ];
  const owner = {
    principal: caller.principal,
    agentId: agent.id,
    credentialId: caller.credentialId,
    clientId: caller.clientId,
  };
  const sendKey = sendKeyOf(input);
  const created = await createTask({
    ...owner,
    id,
    contextId,
    upstreamContextId: newUuid(),
    runNode: nodeId(),
    events,
    sendKey,
    at: ctx.now,
  });
  if (!created) return { turn: await earlierTurn(caller, input, sendKey), run: null };
  const record: TaskRecord = {
    ...owner,
    id,
    contextId,
    upstreamContextId: created.upstreamContextId,
    upstreamTaskId: null,
    state: 'submitted',
    stateAt: ctx.now,
    lastSeq: 2,
    runNode: nodeId(),
    createdAt: ctx.now,
  };
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
    { type: 'message', message: { ...request.message, taskId, contextId: record.contextId } },
    { type: 'status', status: { state: 'working', timestamp: ctx.now.toISOString() } },
  ];
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

function runOf(ctx: Ctx, { agent, request }: SendInput, { record, task }: { record: TaskRecord; task: Task }): Run {
  const { message, configuration, metadata } = request;
  const send = { message, acceptedOutputModes: configuration.acceptedOutputModes, metadata };
  return { record, agent, task, requestId: ctx.requestId, send };
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
  const owner = { principal: caller.principal, agentId: agent.id };
  const earlier = sendKey && (await findSendKey(owner, sendKey.key));
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
