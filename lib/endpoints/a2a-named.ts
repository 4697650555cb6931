import type { AgentRecord } from '../catalog';
import {
  findTaskNamed,
  findTaskNames,
  inlineFiles,
  LONGEST_WAIT_MS,
  listTasks,
  sendNamed,
  streamNamed,
  type TaskStream,
} from '../gateway';
import { EventStream } from '../http/event-stream';
import { activatedHeaders } from '../http/extensions';
import { idempotencyKeyOf } from '../http/idempotency-key';
import { preferenceOf } from '../http/prefer';
import type { RpcAnswer, RpcCall } from '../http/rpc-route';
import { asParleyError, hasCode, ParleyError } from '../platform/errors';
import { isUuid } from '../platform/ids';
import { foldTask } from '../protocol/a2a/core/events';
import type { Task } from '../protocol/a2a/core/model';
import type { CoreRequest, NamedSend } from '../protocol/a2a/core/requests';
import { type Dialect, type NamedTraits, namedDialect, readRequest } from '../protocol/a2a/dialects';

/** What every dialect can ask beside a send that names its task. */
export type OtherRequest = Exclude<CoreRequest, NamedSend>;

type ById = Extract<OtherRequest, { taskId: string }>;

/** A call with its request read; names of tasks may have given way to our ids. */
export interface Asked {
  call: RpcCall;
  agent: AgentRecord;
  request: OtherRequest;
}

type Dispatch = (asked: Asked) => Promise<RpcAnswer>;

/** `tasks/send` and `tasks/sendSubscribe`: the task is the one that the client names. */
export async function answerNamedSend(call: RpcCall, agent: AgentRecord, request: NamedSend): Promise<RpcAnswer> {
  const { ctx, dialect } = call;
  const named = dialect.named ?? traitsOfNeutral();
  const { async, waitMs, applied } = preferenceOf(call.request);
  const atOnce = async && waitMs === undefined;
  const input = {
    agent,
    request: { ...request, configuration: { ...request.configuration, returnImmediately: atOnce } },
    threads: named.threads,
    extensions: call.extensions,
    idempotencyKey: idempotencyKeyOf(call.request),
    waitMs: Math.min(waitMs ?? named.waitMs, LONGEST_WAIT_MS),
  };
  const shown = (task: { id: string }): Map<string, string> => new Map([[task.id, request.clientTaskId ?? task.id]]);
  if (request.streaming) {
    const { stream, replayed } = await streamNamed({ ctx, input: { ...input, untilOver: named.followsQuestions } });
    const own = showing(dialect, agent, shown({ id: stream.taskId }));
    return namedEvents(own.named ?? named, stream, {
      ...activatedHeaders(call.request, call.extensions),
      ...headersOf(replayed),
    });
  }
  const { task, replayed } = await sendNamed({ ctx, input });
  const own = showing(dialect, agent, shown(task));
  const result = own.sendResult({ task: await withFiles(call, task) });
  return {
    kind: 'result',
    result,
    headers: { ...applied, ...activatedHeaders(call.request, call.extensions), ...headersOf(replayed) },
  };
}

/** The task as the call's dialect can say it. */
export async function withFiles({ ctx, dialect }: RpcCall, task: Task): Promise<Task> {
  return dialect.named?.inlinesFiles ? inlineFiles(task, ctx.signal) : task;
}

/**
 * Carries out everything else. An id may be the client's own: on the paths of 0.1 systems always, on neutral ones when we know
 * no task by it; then the answer is 0.1's and has the id that was asked with.
 */
export function withNames(asked: Asked, dispatch: Dispatch): Promise<RpcAnswer> {
  const { call, agent, request } = asked;
  const { named } = call.dialect;
  if (named && request.op === 'list') return listByName(call, agent, request);
  if (!named && (call.dialect.key !== '0.3' || !('taskId' in request))) return dispatch(asked);
  if (!('taskId' in request)) return dispatch({ ...asked, call: { ...call, dialect: showing(call.dialect, agent) } });
  return withNameOf(request, asked, dispatch);
}

async function withNameOf(request: ById, asked: Asked, dispatch: Dispatch): Promise<RpcAnswer> {
  const { call, agent } = asked;
  const { named } = call.dialect;
  if (!named && isUuid(request.taskId)) {
    try {
      return await dispatch(asked);
    } catch (error) {
      if (!hasCode(error, 'task_not_found')) throw error;
    }
  }
  const threads = named?.threads ?? false;
  const taskId = await findTaskNamed({ ctx: call.ctx, input: { agent, threads, name: request.taskId } });
  if (taskId === null && !named) return dispatch(asked);
  const names = new Map(taskId === null ? [] : [[taskId, request.taskId]]);
  const read = named ? { dialect: call.dialect, request } : readByName(call, request);
  try {
    return await dispatch({
      agent,
      call: { ...call, dialect: showing(read.dialect, agent, names) },
      request: { ...read.request, taskId: taskId ?? request.taskId },
    });
  } catch (error) {
    throw withName(error, names);
  }
}

/** A request of a neutral path as 0.1 reads it, where it has the method. */
function readByName(call: RpcCall, request: ById): { dialect: Dialect; request: ById } {
  const dialect = namedDialect();
  const isOurs = call.binding === 'JSONRPC' && Object.hasOwn(dialect.methods, call.rpc.method);
  return isOurs ? { dialect, request: readRequest(dialect, call.rpc) as ById } : { dialect: call.dialect, request };
}

/** A stream in 0.1's manner: what one item says may take several events, of which the last has its number. */
export function namedEvents(
  named: NamedTraits,
  { taskId: id, contextId, before, batches }: TaskStream,
  headers: Record<string, string> = {},
): RpcAnswer {
  const createdAt = new Date().toISOString();
  const write = named.openStream(before?.() ?? foldTask({ id, contextId, createdAt }, []));
  return {
    kind: 'events',
    bare: named.bareEvents ?? false,
    open: (frame, leave) => {
      const stream = EventStream.of({
        batches,
        leave,
        write: (item) => {
          const said = write(item);
          const last = said.length - 1;
          const texts = said.map((data, at) => frame(JSON.stringify(data), at === last ? item.seq : undefined));
          return texts.join('');
        },
      });
      Object.assign(stream.headers, headers);
      return stream;
    },
  };
}

async function listByName(
  call: RpcCall,
  agent: AgentRecord,
  request: OtherRequest & { op: 'list' },
): Promise<RpcAnswer> {
  const { ctx, dialect } = call;
  const page = await listTasks({ ctx, input: { agent, filter: request.filter } });
  const taskIds = page.tasks.map(({ id }) => id);
  const names = await findTaskNames({ ctx, input: { agent, threads: dialect.named?.threads ?? false, taskIds } });
  return {
    kind: 'result',
    result: showing(dialect, agent, names).listResult(page, request.filter.includeArtifacts),
  };
}

/** The dialect as it writes tasks for this caller: under the ids that they know, with the history where the card has it. */
function showing(dialect: Dialect, { card }: AgentRecord, names: Map<string, string> = new Map()): Dialect {
  const { named } = dialect;
  if (!named) return dialect;
  const keepsHistory = !named.historyNeedsCard || card.capabilities.stateTransitionHistory;
  const show = (task: Task): Task => ({
    ...task,
    id: names.get(task.id) ?? task.id,
    history: keepsHistory ? task.history : [],
    metadata: named.publishesTaskId ? { ...task.metadata, task_id: task.id } : task.metadata,
  });
  return {
    ...dialect,
    sendResult: (answer) => dialect.sendResult('task' in answer ? { task: show(answer.task) } : answer),
    taskResult: (task) => dialect.taskResult(show(task)),
    listResult: (page, includeArtifacts) =>
      dialect.listResult({ ...page, tasks: page.tasks.map(show) }, includeArtifacts),
    pushConfigResult: (config) =>
      dialect.pushConfigResult({ ...config, taskId: names.get(config.taskId) ?? config.taskId }),
    named: { ...named, openStream: (before) => named.openStream(before, show) },
  };
}

/** The error with the id that the caller knows in the place of ours. */
function withName(error: unknown, names: Map<string, string>): unknown {
  const known = asParleyError(error);
  const name = typeof known?.data?.task_id === 'string' ? names.get(known.data.task_id) : undefined;
  if (!known || name === undefined) return error;
  const { code, message, data, retryAfter } = known;
  return new ParleyError(code, message, { data: { ...data, task_id: name }, retryAfter, cause: error });
}

function headersOf(replayed: boolean): Record<string, string> {
  return replayed ? { 'idempotent-replayed': 'true' } : {};
}

function traitsOfNeutral(): NamedTraits {
  const { named } = namedDialect();
  if (!named) throw new Error('A2A 0.1 names its tasks');
  return named;
}
