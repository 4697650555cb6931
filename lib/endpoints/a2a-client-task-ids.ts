import type { AgentRecord } from '../catalog';
import {
  findTaskIdByClientTaskId,
  inlineFiles,
  listClientTaskIds,
  listTasks,
  MAX_WAIT_MS,
  sendToClientTask,
  streamToClientTask,
  type TaskStream,
} from '../gateway';
import { activatedHeaders } from '../http/extensions';
import { idempotencyKeyOf } from '../http/idempotency-key';
import { readPreference } from '../http/preference';
import type { RpcCall, RpcResponse } from '../http/routes/rpc-route';
import { EventStream } from '../http/sse/event-stream';
import { asParleyError, hasCode, ParleyError } from '../platform/errors';
import { isUuid } from '../platform/ids';
import { foldTask } from '../protocol/a2a/core/events';
import type { Task } from '../protocol/a2a/core/model';
import type { ClientTaskSend, CoreRequest } from '../protocol/a2a/core/requests';
import { type Dialect, type LegacyTraits, legacyDialect, readRequest } from '../protocol/a2a/dialects';

/** What every dialect can ask beside a send that names its task. */
export type StandardRequest = Exclude<CoreRequest, ClientTaskSend>;

type TaskRequest = Extract<StandardRequest, { taskId: string }>;

/** A call with its request read; names of tasks may have given way to our ids. */
export interface ParsedCall {
  call: RpcCall;
  agent: AgentRecord;
  request: StandardRequest;
}

type Dispatch = (parsed: ParsedCall) => Promise<RpcResponse>;

/** `tasks/send` and `tasks/sendSubscribe`: the task is the one that the client names. */
export async function sendWithClientTaskId(
  call: RpcCall,
  agent: AgentRecord,
  request: ClientTaskSend,
): Promise<RpcResponse> {
  const { ctx, dialect } = call;
  const named = dialect.legacy ?? neutralTraits();
  const { async, waitMs, applied } = readPreference(call.request);
  const isImmediate = async && waitMs === undefined;
  const input = {
    agent,
    request: { ...request, configuration: { ...request.configuration, returnImmediately: isImmediate } },
    threads: named.threads,
    extensions: call.extensions,
    idempotencyKey: idempotencyKeyOf(call.request),
    waitMs: Math.min(waitMs ?? named.waitMs, MAX_WAIT_MS),
  };
  const clientIdsOf = (task: { id: string }): Map<string, string> =>
    new Map([[task.id, request.clientTaskId ?? task.id]]);
  if (request.streaming) {
    const { stream, replayed } = await streamToClientTask({
      ctx,
      input: { ...input, untilTerminal: named.followsQuestions },
    });
    const own = forClient(dialect, agent, clientIdsOf({ id: stream.taskId }));
    return clientTaskIdEvents(own.legacy ?? named, stream, {
      ...activatedHeaders(call.request, call.extensions),
      ...replayHeaders(replayed),
    });
  }
  const { task, replayed } = await sendToClientTask({ ctx, input });
  const own = forClient(dialect, agent, clientIdsOf(task));
  const result = own.sendResult({ task: await withInlinedFiles(call, task) });
  return {
    kind: 'result',
    result,
    headers: { ...applied, ...activatedHeaders(call.request, call.extensions), ...replayHeaders(replayed) },
  };
}

/** The task as the call's dialect can say it. */
export async function withInlinedFiles({ ctx, dialect }: RpcCall, task: Task): Promise<Task> {
  return dialect.legacy?.inlinesFiles ? inlineFiles(task, ctx.signal) : task;
}

/**
 * Carries out everything else. An id may be the client's own: on the paths of 0.1 systems always, on neutral ones when we know
 * no task by it; then the answer is 0.1's and has the id that was asked with.
 */
export function withClientTaskIds(parsed: ParsedCall, dispatch: Dispatch): Promise<RpcResponse> {
  const { call, agent, request } = parsed;
  const { legacy: named } = call.dialect;
  if (named && request.op === 'list') return listWithClientTaskIds(call, agent, request);
  if (!named && (call.dialect.key !== '0.3' || !('taskId' in request))) return dispatch(parsed);
  if (!('taskId' in request))
    return dispatch({ ...parsed, call: { ...call, dialect: forClient(call.dialect, agent) } });
  return resolveClientTaskId(request, parsed, dispatch);
}

async function resolveClientTaskId(request: TaskRequest, parsed: ParsedCall, dispatch: Dispatch): Promise<RpcResponse> {
  const { call, agent } = parsed;
  const { legacy: named } = call.dialect;
  if (!named && isUuid(request.taskId)) {
    try {
      return await dispatch(parsed);
    } catch (error) {
      if (!hasCode(error, 'task_not_found')) throw error;
    }
  }
  const threads = named?.threads ?? false;
  const taskId = await findTaskIdByClientTaskId({
    ctx: call.ctx,
    input: { agent, threads, clientTaskId: request.taskId },
  });
  if (taskId === null && !named) return dispatch(parsed);
  const names = new Map(taskId === null ? [] : [[taskId, request.taskId]]);
  const read = named ? { dialect: call.dialect, request } : readAsClientTaskId(call, request);
  try {
    return await dispatch({
      agent,
      call: { ...call, dialect: forClient(read.dialect, agent, names) },
      request: { ...read.request, taskId: taskId ?? request.taskId },
    });
  } catch (error) {
    throw withClientTaskIdInError(error, names);
  }
}

/** A request of a neutral path as 0.1 reads it, where it has the method. */
function readAsClientTaskId(call: RpcCall, request: TaskRequest): { dialect: Dialect; request: TaskRequest } {
  const dialect = legacyDialect();
  const isOurs = call.binding === 'JSONRPC' && Object.hasOwn(dialect.methods, call.rpc.method);
  return isOurs
    ? { dialect, request: readRequest(dialect, call.rpc) as TaskRequest }
    : { dialect: call.dialect, request };
}

/** A stream in 0.1's manner: what one item says may take several events, of which the last has its number. */
export function clientTaskIdEvents(
  named: LegacyTraits,
  { taskId: id, contextId, before, batches }: TaskStream,
  headers: Record<string, string> = {},
): RpcResponse {
  const createdAt = new Date().toISOString();
  const write = named.openStream(before?.() ?? foldTask({ id, contextId, createdAt }, []));
  return {
    kind: 'events',
    bare: named.bareEvents ?? false,
    open: (frame, leave) => {
      const stream = EventStream.of({
        batches,
        onCancel: leave,
        encode: (item) => {
          const encoded = write(item);
          const last = encoded.length - 1;
          const texts = encoded.map((data, at) => frame(JSON.stringify(data), at === last ? item.seq : undefined));
          return texts.join('');
        },
      });
      Object.assign(stream.headers, headers);
      return stream;
    },
  };
}

async function listWithClientTaskIds(
  call: RpcCall,
  agent: AgentRecord,
  request: StandardRequest & { op: 'list' },
): Promise<RpcResponse> {
  const { ctx, dialect } = call;
  const page = await listTasks({ ctx, input: { agent, filter: request.filter } });
  const taskIds = page.tasks.map(({ id }) => id);
  const names = await listClientTaskIds({ ctx, input: { agent, threads: dialect.legacy?.threads ?? false, taskIds } });
  return {
    kind: 'result',
    result: forClient(dialect, agent, names).listResult(page, request.filter.includeArtifacts),
  };
}

/** The dialect as it writes tasks for this caller: under the ids that they know, with the history where the card has it. */
function forClient(dialect: Dialect, { card }: AgentRecord, names: Map<string, string> = new Map()): Dialect {
  const { legacy: named } = dialect;
  if (!named) return dialect;
  const keepsHistory = !named.historyNeedsCard || card.capabilities.stateTransitionHistory;
  const toClientView = (task: Task): Task => ({
    ...task,
    id: names.get(task.id) ?? task.id,
    history: keepsHistory ? task.history : [],
    metadata: named.publishesTaskId ? { ...task.metadata, task_id: task.id } : task.metadata,
  });
  return {
    ...dialect,
    sendResult: (answer) => dialect.sendResult('task' in answer ? { task: toClientView(answer.task) } : answer),
    taskResult: (task) => dialect.taskResult(toClientView(task)),
    listResult: (page, includeArtifacts) =>
      dialect.listResult({ ...page, tasks: page.tasks.map(toClientView) }, includeArtifacts),
    pushConfigResult: (config) =>
      dialect.pushConfigResult({ ...config, taskId: names.get(config.taskId) ?? config.taskId }),
    legacy: { ...named, openStream: (before) => named.openStream(before, toClientView) },
  };
}

/** The error with the id that the caller knows in the place of ours. */
function withClientTaskIdInError(error: unknown, names: Map<string, string>): unknown {
  const known = asParleyError(error);
  const name = typeof known?.data?.task_id === 'string' ? names.get(known.data.task_id) : undefined;
  if (!known || name === undefined) return error;
  const { code, message, data, retryAfter } = known;
  return new ParleyError(code, message, { data: { ...data, task_id: name }, retryAfter, cause: error });
}

function replayHeaders(replayed: boolean): Record<string, string> {
  return replayed ? { 'idempotent-replayed': 'true' } : {};
}

function neutralTraits(): LegacyTraits {
  const { legacy: named } = legacyDialect();
  if (!named) throw new Error('A2A 0.1 names its tasks');
  return named;
}
