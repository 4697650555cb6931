import type { AgentRecord } from '../../catalog';
import type { CallerActor, Ctx } from '../../platform/context';
import { hasCode } from '../../platform/errors';
import { newTimedUuid, newUuid } from '../../platform/ids';
import { refusalOf } from '../../protocol/a2a/core/events';
import type { ExtensionUse } from '../../protocol/a2a/core/extensions';
import { isId } from '../../protocol/a2a/core/ids';
import { isInterrupted, isTerminal } from '../../protocol/a2a/core/model';
import type { NamedSend } from '../../protocol/a2a/core/requests';
import type { JsonObject } from '../../protocol/json';
import { endOfTurn } from '../end-of-turn';
import { namedTaskIsOver, taskIdIsTaken, taskIsBusy } from '../errors';
import { ownerOf, requireCaller } from '../policy';
import { startTurn } from '../start-turn';
import type { NewName } from '../store/create-task';
import { findTask } from '../store/find-tasks';
import { loadTask } from '../store/read-events';
import type { TaskRecord } from '../store/records';
import { findNamedTask, type NameFamily, nameFamily } from '../store/task-names';
import type { Turn } from '../turn';
import { bodyIdOf } from './body-id';
import { ownMetadata, upstreamMetadata } from './own-metadata';

/** How often a send looks again because another one was faster. */
const maxTries = 5;

export interface NamedInput {
  agent: AgentRecord;
  request: NamedSend;
  /** The client's ids are threads: the same id again is the next turn. */
  threads: boolean;
  extensions?: ExtensionUse;
  idempotencyKey?: string;
  /** How long the send may wait for an earlier turn of its thread, milliseconds. */
  waitMs: number;
}

/** The turn that a send began, or the one that the same send began earlier. */
export interface NamedTurn {
  turn: Turn;
  replayed: boolean;
}

/** What is known of a send while it looks for its place. */
interface Search {
  ctx: Ctx;
  caller: CallerActor;
  input: NamedInput;
  family: NameFamily;
}

/**
 * Begins or continues the task that the client names. The same body under the same id never runs twice; with a question
 * open another body is its answer. A thread (Society) goes on after its task is over, and waits while one is running.
 * @throws {ParleyError} `duplicate_task` (running, other body), `task_terminal`, `task_canceled` (over), `task_busy` (the
 *   thread is still at an earlier turn), and what {@link startTurn} throws
 */
export async function startNamedTurn({ ctx, input }: { ctx: Ctx; input: NamedInput }): Promise<NamedTurn> {
  const caller = requireCaller(ctx, input.agent);
  const search: Search = { ctx, caller, input, family: nameFamily(input.threads) };
  const until = Date.now() + input.waitMs;
  for (let tries = 1; ; tries++) {
    const found = await attempt(search).catch((error: unknown) => {
      if (!wasOvertaken(error) || tries >= maxTries) throw error;
      return null;
    });
    if (found === null) continue;
    if (!('busy' in found)) return found;
    const left = until - Date.now();
    if (left > 0) await endOfTurn(found.busy, ctx, left);
    if (left <= 0 || ctx.signal.aborted) throw taskIsBusy(input.request.clientTaskId ?? '');
  }
}

/** True when another send was faster: what it made of the task is to be looked at. */
function wasOvertaken(error: unknown): boolean {
  return hasCode(error, 'conflict') || hasCode(error, 'task_busy') || hasCode(error, 'unsupported_operation');
}

async function attempt(search: Search): Promise<NamedTurn | { busy: Turn }> {
  const { input, family } = search;
  const { clientTaskId: clientId, message } = input.request;
  if (clientId === undefined) return begin(search, null, message.contextId);
  const found = await lookUp(search, clientId);
  if (!found) {
    const contextId = input.threads ? clientId : message.contextId;
    return begin(search, { family, clientId, replaces: null }, contextId);
  }
  const { record } = found;
  const { task, seq, events } = await loadTask(record);
  const { state } = task.status;
  const bodyId = bodyIdOf(record.id, input.request, input.idempotencyKey);
  const last = events.at(-1)?.event;
  const refusal = last ? refusalOf(last) : null;
  const said = events.flatMap(({ event }) => (event.type === 'message' ? [event.message.messageId] : []));
  const isFree = refusal?.retryable === true && said.at(-1) === refusal.messageId;
  if (isFree) said.pop();
  const turn: Turn = { record, task, seq, last };
  if (isFree && isTerminal(state)) {
    // The agent never took the first message: the name begins once more.
    const replaces = found.family === family ? record.id : null;
    return begin(search, { family, clientId, replaces }, record.contextId);
  }
  if (input.threads) {
    if (isTerminal(state)) {
      const replaces = found.family === family ? record.id : null;
      return begin(search, { family, clientId, replaces }, record.contextId);
    }
    if (isInterrupted(state)) return answer(search, record, said.includes(bodyId) ? newUuid() : bodyId);
    return said.at(-1) === bodyId ? { turn, replayed: true } : { busy: turn };
  }
  if (said.includes(bodyId)) return { turn, replayed: true };
  if (isTerminal(state)) throw namedTaskIsOver(clientId, state);
  if (isInterrupted(state)) return answer(search, record, bodyId);
  throw taskIdIsTaken(clientId);
}

/** A task may be named by the id that its client chose and by ours. */
async function lookUp(
  { caller, family }: Search,
  clientId: string,
): Promise<{ record: TaskRecord; family: NameFamily | null } | null> {
  const owner = ownerOf(caller);
  const named = await findNamedTask(owner, family, clientId);
  if (named) return named;
  const record = await findTask(owner, clientId);
  return record && { record, family: null };
}

async function begin(search: Search, name: NewName | null, asked?: string): Promise<NamedTurn> {
  const { ctx, caller, input } = search;
  const { agent, request, idempotencyKey } = input;
  const taskId = newTimedUuid(ctx.now);
  const chat = request.metadata?.chat_id;
  const contextId = asked ?? (typeof chat === 'string' && isId(chat) ? chat : newTimedUuid(ctx.now));
  const metadata = ownMetadata(request.metadata ?? {}, { caller, agent, contextId });
  const message = { contextId, messageId: bodyIdOf(taskId, request, idempotencyKey) };
  return start(search, { taskId, name, message, metadata, idempotencyKey });
}

async function answer(search: Search, record: TaskRecord, messageId: string): Promise<NamedTurn> {
  const { caller, input } = search;
  const { agent, request } = input;
  const metadata = ownMetadata(request.metadata ?? {}, { caller, agent, contextId: record.contextId });
  const contextId = input.threads ? undefined : request.message.contextId;
  const message = { contextId, messageId, taskId: record.id };
  return start(search, { taskId: record.id, name: null, message, metadata });
}

interface Start {
  taskId: string;
  name: NewName | null;
  /** What Parley says of the message in place of the caller. */
  message: { contextId?: string; messageId: string; taskId?: string };
  metadata: JsonObject;
  idempotencyKey?: string;
}

async function start({ ctx, input: { agent, request, extensions } }: Search, begun: Start): Promise<NamedTurn> {
  const { taskId, name, message, metadata, idempotencyKey } = begun;
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
      named: {
        taskId,
        name,
        metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
        bodyHash: bodyIdOf('', request, undefined),
      },
      idempotencyKey,
    },
  });
  return { turn, replayed: turn.ear === undefined };
}
