import type { AgentRecord } from '../../catalog';
import { activatedHeaders, idempotencyKeyOf, readPreference } from '../../http/request-headers';
import type { RpcCall, RpcResponse } from '../../http/routes/a2a-call';
import { EventStream } from '../../http/sse';
import { hasCode, ParleyError } from '../../platform/errors';
import { isUuid } from '../../platform/ids';
import { foldTask } from '../../protocol/a2a/core/events';
import type { ClientTaskSend, CoreRequest, Task } from '../../protocol/a2a/core/model';
import { type Dialect, type LegacyTraits, legacyDialect, readRequest } from '../../protocol/a2a/dialects';
import {
  findTaskIdByClientTaskId,
  inlineFiles,
  listClientTaskIds,
  listTasks,
  MAX_WAIT_MS,
  sendToClientTask,
  streamToClientTask,
  type TaskStream,
} from '..';

/** Every request except a send with a client task id. */
export type StandardRequest = Exclude<CoreRequest, ClientTaskSend>;

type TaskRequest = Extract<StandardRequest, { taskId: string }>;

/** A call and its parsed request, in which client task ids may be replaced by ours. */
export interface ParsedCall {
  call: RpcCall;
  agent: AgentRecord;
  request: StandardRequest;
}

type Dispatch = (parsed: ParsedCall) => Promise<RpcResponse>;

/** Handles `tasks/send` and `tasks/sendSubscribe`, in which the client chooses the task id. */
export async function sendWithClientTaskId(
  call: RpcCall,
  agent: AgentRecord,
  request: ClientTaskSend,
): Promise<RpcResponse> {
  const { ctx, dialect } = call;
  const traits = dialect.legacy ?? defaultTraits();
  const { async, waitMs, applied } = readPreference(call.request);
  const isImmediate = async && waitMs === undefined;
  const input = {
    agent,
    request: { ...request, configuration: { ...request.configuration, returnImmediately: isImmediate } },
    threads: traits.threads,
    extensions: call.extensions,
    idempotencyKey: idempotencyKeyOf(call.request),
    waitMs: Math.min(waitMs ?? traits.waitMs, MAX_WAIT_MS),
  };
  const clientIdsOf = (task: { id: string }): Map<string, string> =>
    new Map([[task.id, request.clientTaskId ?? task.id]]);
  if (request.streaming) {
    const { stream, replayed } = await streamToClientTask({
      ctx,
      input: { ...input, untilTerminal: traits.followsQuestions },
    });
    const own = forClient(dialect, agent, clientIdsOf({ id: stream.taskId }));
    return clientTaskIdEvents(own.legacy ?? traits, stream, {
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

/** Returns the task, with files inlined if the dialect cannot reference them. */
export async function withInlinedFiles({ ctx, dialect }: RpcCall, task: Task): Promise<Task> {
  return dialect.legacy?.inlinesFiles ? inlineFiles(task, ctx.signal) : task;
}

/**
 * Handles all other requests. The task id may be the client's: on legacy paths always, on neutral paths if none of our
 * tasks has it, in which case the response uses A2A 0.1 and that id.
 */
export function withClientTaskIds(parsed: ParsedCall, dispatch: Dispatch): Promise<RpcResponse> {
  const { call, agent, request } = parsed;
  const { legacy: traits } = call.dialect;
  if (traits && request.op === 'list') return listWithClientTaskIds(call, agent, request);
  if (!traits && (call.dialect.key !== '0.3' || !('taskId' in request))) return dispatch(parsed);
  if (!('taskId' in request))
    return dispatch({ ...parsed, call: { ...call, dialect: forClient(call.dialect, agent) } });
  return resolveClientTaskId(request, parsed, dispatch);
}

async function resolveClientTaskId(request: TaskRequest, parsed: ParsedCall, dispatch: Dispatch): Promise<RpcResponse> {
  const { call, agent } = parsed;
  const { legacy: traits } = call.dialect;
  if (!traits && isUuid(request.taskId)) {
    try {
      return await dispatch(parsed);
    } catch (error) {
      if (!hasCode(error, 'task_not_found')) throw error;
    }
  }
  const threads = traits?.threads ?? false;
  const taskId = await findTaskIdByClientTaskId({
    ctx: call.ctx,
    input: { agent, threads, clientTaskId: request.taskId },
  });
  if (taskId === null && !traits) return dispatch(parsed);
  const clientIds = new Map(taskId === null ? [] : [[taskId, request.taskId]]);
  const read = traits ? { dialect: call.dialect, request } : readAsClientTaskId(call, request);
  try {
    return await dispatch({
      agent,
      call: { ...call, dialect: forClient(read.dialect, agent, clientIds) },
      request: { ...read.request, taskId: taskId ?? request.taskId },
    });
  } catch (error) {
    throw withClientTaskIdInError(error, clientIds);
  }
}

/** Parses a request on a neutral path as A2A 0.1 if that version has the method. */
function readAsClientTaskId(call: RpcCall, request: TaskRequest): { dialect: Dialect; request: TaskRequest } {
  const dialect = legacyDialect();
  const isOurs = call.binding === 'JSONRPC' && Object.hasOwn(dialect.methods, call.rpc.method);
  return isOurs
    ? { dialect, request: readRequest(dialect, call.rpc) as TaskRequest }
    : { dialect: call.dialect, request };
}

/**
 * Encodes a stream in A2A 0.1. One item may become several events, of which only the last has the item's sequence
 * number.
 */
export function clientTaskIdEvents(
  traits: LegacyTraits,
  { taskId: id, contextId, before, batches }: TaskStream,
  headers: Record<string, string> = {},
): RpcResponse {
  const createdAt = new Date().toISOString();
  const write = traits.openStream(before?.() ?? foldTask({ id, contextId, createdAt }, []));
  return {
    kind: 'events',
    bare: traits.bareEvents ?? false,
    open: (frame, onCancel) => {
      const stream = EventStream.of({
        batches,
        onCancel,
        encode: (item) => {
          const encoded = write(item);
          const last = encoded.length - 1;
          const texts = encoded.map((data, index) =>
            frame(JSON.stringify(data), index === last ? item.seq : undefined),
          );
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
  const clientIds = await listClientTaskIds({
    ctx,
    input: { agent, threads: dialect.legacy?.threads ?? false, taskIds },
  });
  return {
    kind: 'result',
    result: forClient(dialect, agent, clientIds).listResult(page, request.filter.includeArtifacts),
  };
}

/** Returns the dialect with the caller's task ids, and with the history if the card declares it. */
function forClient(dialect: Dialect, { card }: AgentRecord, clientIds: Map<string, string> = new Map()): Dialect {
  const { legacy: traits } = dialect;
  if (!traits) return dialect;
  const includesHistory = !traits.historyNeedsCard || card.capabilities.stateTransitionHistory;
  const toClientView = (task: Task): Task => ({
    ...task,
    id: clientIds.get(task.id) ?? task.id,
    history: includesHistory ? task.history : [],
    metadata: traits.publishesTaskId ? { ...task.metadata, task_id: task.id } : task.metadata,
  });
  return {
    ...dialect,
    sendResult: (sent) => dialect.sendResult('task' in sent ? { task: toClientView(sent.task) } : sent),
    taskResult: (task) => dialect.taskResult(toClientView(task)),
    listResult: (page, includeArtifacts) =>
      dialect.listResult({ ...page, tasks: page.tasks.map(toClientView) }, includeArtifacts),
    pushConfigResult: (config) =>
      dialect.pushConfigResult({ ...config, taskId: clientIds.get(config.taskId) ?? config.taskId }),
    legacy: { ...traits, openStream: (before) => traits.openStream(before, toClientView) },
  };
}

/** Replaces our task id in the error with the caller's. */
function withClientTaskIdInError(error: unknown, clientIds: Map<string, string>): unknown {
  if (!(error instanceof ParleyError)) return error;
  const { code, message, data, retryAfter } = error;
  const name = typeof data?.task_id === 'string' ? clientIds.get(data.task_id) : undefined;
  if (name === undefined) return error;
  return new ParleyError(code, message, { data: { ...data, task_id: name }, retryAfter, cause: error });
}

function replayHeaders(replayed: boolean): Record<string, string> {
  return replayed ? { 'idempotent-replayed': 'true' } : {};
}

function defaultTraits(): LegacyTraits {
  const { legacy: traits } = legacyDialect();
  if (!traits) throw new Error('A2A 0.1 requires a task ID');
  return traits;
}
