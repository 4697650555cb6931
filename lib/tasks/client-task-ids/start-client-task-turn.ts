import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { hasCode } from '../../platform/errors';
import { newUuid, newUuidV7 } from '../../platform/ids';
import { refusalOf } from '../../protocol/a2a/core/events';
import { type ClientTaskSend, isId, isInterrupted, isTerminal } from '../../protocol/a2a/core/model';
import type { ExtensionUse } from '../../protocol/extensions';
import type { JsonObject } from '../../protocol/json';
import { ownerOf, requireCaller } from '../authorization';
import { clientTaskTerminal, duplicateTask, taskBusy } from '../errors';
import { CLIENT_TASK_MAX_ATTEMPTS } from '../limits';
import { type Turn, waitForTurnEnd } from '../log/turn';
import { findTask } from '../store/find-tasks';
import type { TaskRecord } from '../store/records';
import {
  type ClientTaskIdClaim,
  type ClientTaskIdFamily,
  clientTaskIdFamily,
  findTaskByClientId,
} from '../store/send-keys';
import { loadTask } from '../store/task-events';
import { startTurn } from '../turns/start-turn';
import { callerMetadata, deriveMessageId, upstreamMetadata } from './message-members';

export interface ClientTaskInput {
  agent: AgentRecord;
  request: ClientTaskSend;
  /** True if the client's ids are thread ids, so that a repeated id starts the next turn. */
  threads: boolean;
  extensions?: ExtensionUse;
  idempotencyKey?: string;
  /** Maximum time that the send waits for an earlier turn of its thread, milliseconds. */
  waitMs: number;
}

/** The turn that this send started, or that the same send started earlier. */
export interface ClientTaskTurn {
  turn: Turn;
  replayed: boolean;
}

/** A send whose task is not resolved yet. */
interface SendContext {
  ctx: Ctx;
  caller: CallerActor;
  input: ClientTaskInput;
  family: ClientTaskIdFamily;
}

/**
 * Starts or continues the task with the client task id. The same body with the same id never runs twice; another body
 * is a reply to an interrupted task. A thread (Society) continues after its task has finished, and a send waits while
 * an earlier turn is running.
 * @throws {ParleyError} `duplicate_task` (running, other body), `task_terminal`, `task_canceled` (finished),
 *   `task_busy` (an earlier turn of the thread is running), and the errors of {@link startTurn}
 */
export async function startClientTaskTurn({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ClientTaskInput;
}): Promise<ClientTaskTurn> {
  const caller = requireCaller(ctx, input.agent);
  const sendContext: SendContext = { ctx, caller, input, family: clientTaskIdFamily(input.threads) };
  const deadline = performance.now() + input.waitMs;
  for (let attempts = 1; ; attempts++) {
    const found = await attempt(sendContext).catch((error: unknown) => {
      if (!lostRace(error) || attempts >= CLIENT_TASK_MAX_ATTEMPTS) throw error;
      return null;
    });
    if (found === null) continue;
    if (!('busy' in found)) return found;
    const remainingMs = deadline - performance.now();
    if (remainingMs > 0) await waitForTurnEnd(found.busy, ctx, remainingMs);
    if (remainingMs <= 0 || ctx.signal.aborted) throw taskBusy(input.request.clientTaskId ?? '');
  }
}

/** Returns true if a concurrent send was faster, so that the task must be read again. */
function lostRace(error: unknown): boolean {
  return hasCode(error, 'conflict') || hasCode(error, 'task_busy') || hasCode(error, 'unsupported_operation');
}

async function attempt(sendContext: SendContext): Promise<ClientTaskTurn | { busy: Turn }> {
  const { input, family } = sendContext;
  const { clientTaskId: clientId, message } = input.request;
  if (clientId === undefined) return startNewTask(sendContext, null, message.contextId);
  const found = await resolveTask(sendContext, clientId);
  if (!found) {
    const contextId = input.threads ? clientId : message.contextId;
    return startNewTask(sendContext, { family, clientTaskId: clientId, replaces: null }, contextId);
  }
  const { record } = found;
  const { task, seq, events } = await loadTask(record);
  const { state } = task.status;
  const derivedMessageId = deriveMessageId(record.id, input.request, input.idempotencyKey);
  const last = events.at(-1)?.event;
  const refusal = last ? refusalOf(last) : null;
  const messageIds = events.flatMap(({ event }) => (event.type === 'message' ? [event.message.messageId] : []));
  const isRetryable = refusal?.retryable === true && messageIds.at(-1) === refusal.messageId;
  if (isRetryable) messageIds.pop();
  const turn: Turn = { record, task, seq, last };
  if (isRetryable && isTerminal(state)) {
    // The agent never received the first message, so the id starts a new task.
    const replaces = found.family === family ? record.id : null;
    return startNewTask(sendContext, { family, clientTaskId: clientId, replaces }, record.contextId);
  }
  if (input.threads) {
    if (isTerminal(state)) {
      const replaces = found.family === family ? record.id : null;
      return startNewTask(sendContext, { family, clientTaskId: clientId, replaces }, record.contextId);
    }
    if (isInterrupted(state))
      return reply(sendContext, record, messageIds.includes(derivedMessageId) ? newUuid() : derivedMessageId);
    return messageIds.at(-1) === derivedMessageId ? { turn, replayed: true } : { busy: turn };
  }
  if (messageIds.includes(derivedMessageId)) return { turn, replayed: true };
  if (isTerminal(state)) throw clientTaskTerminal(clientId, state);
  if (isInterrupted(state)) return reply(sendContext, record, derivedMessageId);
  throw duplicateTask(clientId);
}

/** Finds the task by the client's id, otherwise by Parley's. */
async function resolveTask(
  { caller, family }: SendContext,
  clientId: string,
): Promise<{ record: TaskRecord; family: ClientTaskIdFamily | null } | null> {
  const owner = ownerOf(caller);
  const found = await findTaskByClientId(owner, family, clientId);
  if (found) return found;
  const record = await findTask(owner, clientId);
  return record && { record, family: null };
}

async function startNewTask(
  sendContext: SendContext,
  idClaim: ClientTaskIdClaim | null,
  requestedContextId?: string,
): Promise<ClientTaskTurn> {
  const { ctx, caller, input } = sendContext;
  const { agent, request, idempotencyKey } = input;
  const taskId = newUuidV7(ctx.now);
  const chat = request.metadata?.chat_id;
  const contextId = requestedContextId ?? (typeof chat === 'string' && isId(chat) ? chat : newUuidV7(ctx.now));
  const metadata = callerMetadata(request.metadata ?? {}, { caller, agent, contextId });
  const message = { contextId, messageId: deriveMessageId(taskId, request, idempotencyKey) };
  return start(sendContext, { taskId, idClaim, message, metadata, idempotencyKey });
}

async function reply(sendContext: SendContext, record: TaskRecord, messageId: string): Promise<ClientTaskTurn> {
  const { caller, input } = sendContext;
  const { agent, request } = input;
  const metadata = callerMetadata(request.metadata ?? {}, { caller, agent, contextId: record.contextId });
  const contextId = input.threads ? undefined : request.message.contextId;
  const message = { contextId, messageId, taskId: record.id };
  return start(sendContext, { taskId: record.id, idClaim: null, message, metadata });
}

interface TurnStart {
  taskId: string;
  idClaim: ClientTaskIdClaim | null;
  /** The members of the message that Parley sets. */
  message: { contextId?: string; messageId: string; taskId?: string };
  metadata: JsonObject;
  idempotencyKey?: string;
}

async function start(
  { ctx, input: { agent, request, extensions } }: SendContext,
  options: TurnStart,
): Promise<ClientTaskTurn> {
  const { taskId, idClaim, message, metadata, idempotencyKey } = options;
  const turn = await startTurn({
    ctx,
    input: {
      agent,
      request: {
        ...request,
        op: 'send',
        message: { ...request.message, ...message, role: 'user' },
        metadata: upstreamMetadata(metadata),
      },
      pushDialect: '0.3',
      extensions,
      clientTask: {
        taskId,
        idClaim,
        metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
        bodyHash: deriveMessageId('', request, undefined),
      },
      idempotencyKey,
    },
  });
  return { turn, replayed: turn.handle === undefined };
}
