import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { hasCode } from '../../platform/errors';
import { newUuid, newUuidV7 } from '../../platform/ids';
import { refusalOf } from '../../protocol/a2a/core/events';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import { isId } from '../../protocol/a2a/core/ids';
import { isInterrupted, isTerminal } from '../../protocol/a2a/core/model';
import type { ClientTaskSend } from '../../protocol/a2a/core/requests';
import type { JsonObject } from '../../protocol/json';
import { clientTaskTerminal, duplicateTask, taskBusy } from '../errors';
import { ownerOf, requireCaller } from '../policy';
import { startTurn } from '../runs/start-turn';
import type { Turn } from '../runs/turn';
import { type ClientTaskIdFamily, clientTaskIdFamily, findTaskByClientId } from '../store/client-task-ids';
import type { ClientTaskIdClaim } from '../store/create-task';
import { findTask } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { waitForTurnEnd } from '../streams/wait-for-turn-end';
import { callerMetadata, upstreamMetadata } from './caller-metadata';
import { deriveMessageId } from './derive-message-id';

/** How often a send looks again because another one was faster. */
const maxAttempts = 5;

export interface ClientTaskInput {
  agent: AgentRecord;
  request: ClientTaskSend;
  /** The client's ids are threads: the same id again is the next turn. */
  threads: boolean;
  extensions?: ExtensionUse;
  idempotencyKey?: string;
  /** How long the send may wait for an earlier turn of its thread, milliseconds. */
  waitMs: number;
}

/** The turn that a send began, or the one that the same send began earlier. */
export interface ClientTaskTurn {
  turn: Turn;
  replayed: boolean;
}

/** What is known of a send while it looks for its place. */
interface SendContext {
  ctx: Ctx;
  caller: CallerActor;
  input: ClientTaskInput;
  family: ClientTaskIdFamily;
}

/**
 * Begins or continues the task that the client names. The same body under the same id never runs twice; with a question
 * open another body is its answer. A thread (Society) goes on after its task is over, and waits while one is running.
 * @throws {ParleyError} `duplicate_task` (running, other body), `task_terminal`, `task_canceled` (over), `task_busy` (the
 *   thread is still at an earlier turn), and what {@link startTurn} throws
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
  const deadline = Date.now() + input.waitMs;
  for (let tries = 1; ; tries++) {
    const found = await attempt(sendContext).catch((error: unknown) => {
      if (!lostRace(error) || tries >= maxAttempts) throw error;
      return null;
    });
    if (found === null) continue;
    if (!('busy' in found)) return found;
    const remainingMs = deadline - Date.now();
    if (remainingMs > 0) await waitForTurnEnd(found.busy, ctx, remainingMs);
    if (remainingMs <= 0 || ctx.signal.aborted) throw taskBusy(input.request.clientTaskId ?? '');
  }
}

/** True when another send was faster: what it made of the task is to be looked at. */
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
    // The agent never took the first message: the name begins once more.
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

/** A task may be named by the id that its client chose and by ours. */
async function resolveTask(
  { caller, family }: SendContext,
  clientId: string,
): Promise<{ record: TaskRecord; family: ClientTaskIdFamily | null } | null> {
  const owner = ownerOf(caller);
  const named = await findTaskByClientId(owner, family, clientId);
  if (named) return named;
  const record = await findTask(owner, clientId);
  return record && { record, family: null };
}

async function startNewTask(
  sendContext: SendContext,
  name: ClientTaskIdClaim | null,
  requestedContextId?: string,
): Promise<ClientTaskTurn> {
  const { ctx, caller, input } = sendContext;
  const { agent, request, idempotencyKey } = input;
  const taskId = newUuidV7(ctx.now);
  const chat = request.metadata?.chat_id;
  const contextId = requestedContextId ?? (typeof chat === 'string' && isId(chat) ? chat : newUuidV7(ctx.now));
  const metadata = callerMetadata(request.metadata ?? {}, { caller, agent, contextId });
  const message = { contextId, messageId: deriveMessageId(taskId, request, idempotencyKey) };
  return start(sendContext, { taskId, idClaim: name, message, metadata, idempotencyKey });
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
  /** What Parley says of the message in place of the caller. */
  message: { contextId?: string; messageId: string; taskId?: string };
  metadata: JsonObject;
  idempotencyKey?: string;
}

async function start(
  { ctx, input: { agent, request, extensions } }: SendContext,
  options: TurnStart,
): Promise<ClientTaskTurn> {
  const { taskId, idClaim: name, message, metadata, idempotencyKey } = options;
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
        idClaim: name,
        metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
        bodyHash: deriveMessageId('', request, undefined),
      },
      idempotencyKey,
    },
  });
  return { turn, replayed: turn.handle === undefined };
}
