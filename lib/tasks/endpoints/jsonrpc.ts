import type { AgentRecord } from '../../catalog';
import type { Handler } from '../../http/handler';
import {
  activatedHeaders,
  applyPreference,
  changeWaitOf,
  idempotencyKeyOf,
  readPreference,
  withShortWait,
} from '../../http/request-headers';
import type { BinaryFrame, RpcCall, RpcResponse } from '../../http/routes/a2a-call';
import { rpcRoute } from '../../http/routes/rpc-route';
import { EventStream } from '../../http/sse';
import type { TaskEvent } from '../../protocol/a2a/core/events';
import type { Task } from '../../protocol/a2a/core/model';
import { type Dialect, encodeBareEvents, isVersion1, readRequest, wantsBareEvents } from '../../protocol/a2a/dialects';
import type { JsonObject, JsonValue } from '../../protocol/json';
import {
  cancelTask,
  getExtendedCard,
  getTask,
  listTasks,
  type StreamItem,
  sendMessage,
  streamMessage,
  subscribeTask,
  type TaskStream,
} from '..';
import {
  clientTaskIdEvents,
  type ParsedCall,
  type StandardRequest,
  sendWithClientTaskId,
  withClientTaskIds,
  withInlinedFiles,
} from './client-task-ids';
import { findPayer, payable } from './paid-calls';
import { handlePushConfig, pushDialectOf } from './push';

/** `POST /agents/{slug}/a2a/jsonrpc`: A2A 0.1, 0.3 and 1.0, and Web42's bare event stream. */
export const a2aJsonrpc: Handler = rpcRoute(payable(handleA2aCall), { findPayer });

/** Handles one A2A call. Used by all paths and bindings. */
export function handleA2aCall(call: RpcCall): Promise<RpcResponse> {
  const { agent } = call;
  const request = readRequest(call.dialect, call.rpc);
  if (request.op === 'send-client-task') return sendWithClientTaskId(call, agent, request);
  return withClientTaskIds({ call, agent, request }, dispatch);
}

function dispatch({ call, agent, request }: ParsedCall): Promise<RpcResponse> {
  return request.op === 'send' ? send(call, agent, request) : execute(call, agent, request);
}

type NonSendRequest = Exclude<StandardRequest, { op: 'send' }>;

async function execute(call: RpcCall, agent: AgentRecord, request: NonSendRequest): Promise<RpcResponse> {
  const { ctx, dialect, extensions } = call;
  switch (request.op) {
    case 'get': {
      const { waitMs, applied } = changeWaitOf(call.request);
      const task = await getTask({ ctx, input: { agent, ...request, waitMs } });
      return taskResult(call, task, request.newerThan === undefined ? undefined : applied);
    }
    case 'list': {
      const page = await listTasks({ ctx, input: { agent, filter: request.filter } });
      return result(dialect.listResult(page, request.filter.includeArtifacts));
    }
    case 'cancel':
      return taskResult(
        call,
        await cancelTask({ ctx, input: { agent, extensions, ...request } }),
        activatedHeaders(call.request, extensions),
      );
    case 'subscribe':
      return events(dialect, await subscribeTask({ ctx, input: { ...subscriptionOptions(call), agent, ...request } }));
    case 'push-set':
    case 'push-get':
    case 'push-list':
    case 'push-delete':
      return result(await handlePushConfig(call, agent, request));
    case 'extended-card':
      return result(
        await getExtendedCard({ ctx, input: { agent, extensions, shape: dialect.cardShape } }),
        activatedHeaders(call.request, extensions),
      );
  }
}

async function send(
  call: RpcCall,
  agent: AgentRecord,
  request: StandardRequest & { op: 'send' },
): Promise<RpcResponse> {
  const { ctx, dialect, rpc, version } = call;
  const preference = readPreference(call.request);
  const preferredRequest = applyPreference(request, preference);
  // Clients of this binding omit `blocking` and continue the task immediately.
  const isRest03 = call.binding === 'HTTP+JSON' && !isVersion1(dialect);
  const input = {
    agent,
    request: isRest03 ? withShortWait(preferredRequest) : preferredRequest,
    pushDialect: pushDialectOf(call),
    idempotencyKey: call.sendKey ?? idempotencyKeyOf(call.request),
    extensions: call.extensions,
  };
  // Legacy paths have their own response formats.
  const isNeutral = call.binding === 'JSONRPC' && !dialect.legacy;
  if (isNeutral && wantsBareEvents(rpc, version, call.request.headers.get('accept') ?? '')) {
    const stream = await streamMessage({ ctx, input });
    const encode = encodeBareEvents(stream, (event) => encodeEvent(dialect, stream, { seq: 0, event }));
    return withActivatedExtensions(call, eventsResponse(stream, encode, true));
  }
  if (request.streaming) return withActivatedExtensions(call, events(dialect, await streamMessage({ ctx, input })));
  const sent = await sendMessage({ ctx, input });
  const isTaskResult = 'task' in sent && !dialect.legacy;
  return result(isTaskResult ? dialect.sendResult(sent) : await clientTaskIdResult(call, agent, sent), {
    ...preference.applied,
    ...activatedHeaders(call.request, call.extensions),
  });
}

/**
 * Returns the result for dialects without message results: the task of a message that is the agent's complete response.
 */
async function clientTaskIdResult(
  call: RpcCall,
  agent: AgentRecord,
  sent: Awaited<ReturnType<typeof sendMessage>>,
): Promise<JsonValue> {
  const { ctx, dialect } = call;
  if ('task' in sent) return dialect.sendResult({ task: await withInlinedFiles(call, sent.task) });
  const { taskId } = sent.message;
  if (!dialect.legacy || taskId === undefined) return dialect.sendResult(sent);
  return dialect.sendResult({ task: await withInlinedFiles(call, await getTask({ ctx, input: { agent, taskId } })) });
}

async function taskResult(call: RpcCall, task: Task, headers?: Record<string, string>): Promise<RpcResponse> {
  return result(call.dialect.taskResult(await withInlinedFiles(call, task)), headers);
}

/** Adds the headers of activated extensions, which are known after the agent's first event. */
function withActivatedExtensions(call: RpcCall, response: RpcResponse): RpcResponse {
  const headers = activatedHeaders(call.request, call.extensions);
  if (!headers || response.kind !== 'events') return response;
  const { open, openBinary } = response;
  const withHeaders = (stream: EventStream): EventStream => {
    Object.assign(stream.headers, headers);
    return stream;
  };
  return {
    ...response,
    open: (frame, onCancel) => withHeaders(open(frame, onCancel)),
    openBinary: openBinary && ((frame, onCancel) => withHeaders(openBinary(frame, onCancel))),
  };
}

function subscriptionOptions({ request, query, dialect }: RpcCall): {
  after?: string;
  finished: 'refuse' | 'final-event';
  untilTerminal?: boolean;
} {
  const after = request.headers.get('last-event-id') ?? query.get('after') ?? undefined;
  const finished = isVersion1(dialect) ? 'refuse' : 'final-event';
  return { after, finished, untilTerminal: dialect.legacy?.followsQuestions };
}

function result(value: JsonValue, headers?: Record<string, string>): RpcResponse {
  return { kind: 'result', result: value, headers };
}

function events(dialect: Dialect, stream: TaskStream): RpcResponse {
  if (dialect.legacy) return clientTaskIdEvents(dialect.legacy, stream);
  const write = (item: StreamItem): string[] => encodeItem(dialect, stream, item);
  return { ...eventsResponse(stream, write, false), openBinary: binaryOpener(dialect, stream) };
}

function binaryOpener(dialect: Dialect, stream: TaskStream): EventsResponse['openBinary'] {
  return (frame, onCancel) => {
    const encode = (item: StreamItem): Uint8Array[] => {
      if ('task' in item) return [frame(dialect.snapshotEvent(item.task) as JsonObject)];
      const { taskId, contextId } = stream;
      const event = encodedEvent(frame, item.event, () => {
        const data = dialect.event(item.event, { taskId, contextId }, item.seq);
        return data === null ? null : frame(data as JsonObject);
      });
      return event === null ? [] : [event];
    };
    return EventStream.ofFrames({ batches: stream.batches, encode, onCancel });
  };
}

type EventsResponse = RpcResponse & { kind: 'events' };

function eventsResponse({ batches }: TaskStream, write: (item: StreamItem) => string[], bare: boolean): EventsResponse {
  return {
    kind: 'events',
    bare,
    open: (frame, onCancel) => {
      const encodeFrames = (item: StreamItem): string => {
        let text = '';
        for (const json of write(item)) text += frame(json, item.seq);
        return text;
      };
      return EventStream.of({ batches, encode: encodeFrames, onCancel });
    },
  };
}

function encodeItem(dialect: Dialect, stream: TaskStream, item: StreamItem): string[] {
  if ('task' in item) return [JSON.stringify(dialect.snapshotEvent(item.task))];
  return encodeEvent(dialect, stream, item);
}

function encodeEvent(dialect: Dialect, { taskId, contextId }: TaskStream, { seq, event }: StoredEvent): string[] {
  const text = encodedEvent(dialect, event, () => {
    const data = dialect.event(event, { taskId, contextId }, seq);
    return data === null ? null : JSON.stringify(data);
  });
  return text === null ? [] : [text];
}

type EventFormat = Dialect | BinaryFrame;

type StoredEvent = Extract<StreamItem, { event: TaskEvent }>;

/** The encoded events of this turn of the event loop, by format: text for a dialect, bytes for a binary format. */
let encoded: Map<EventFormat, Map<TaskEvent, string | Uint8Array | null>> | null = null;

/**
 * Returns an event in a format; null if streams of the format omit it. Subscribers of one task are notified in the same
 * turn of the event loop and share the encoded event.
 */
function encodedEvent(dialect: Dialect, event: TaskEvent, encode: () => string | null): string | null;
function encodedEvent(frame: BinaryFrame, event: TaskEvent, encode: () => Uint8Array | null): Uint8Array | null;
function encodedEvent(
  format: EventFormat,
  event: TaskEvent,
  encode: () => string | Uint8Array | null,
): string | Uint8Array | null {
  if (!encoded) {
    encoded = new Map();
    setImmediate(() => {
      encoded = null;
    });
  }
  const encodedEvents = encoded.get(format) ?? new Map<TaskEvent, string | Uint8Array | null>();
  if (encodedEvents.size === 0) encoded.set(format, encodedEvents);
  const known = encodedEvents.get(event);
  if (known !== undefined) return known;
  const made = encode();
  encodedEvents.set(event, made);
  return made;
}
