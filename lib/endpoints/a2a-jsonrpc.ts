import { type AgentRecord, findAgent } from '../catalog';
import {
  cancelTask,
  getTask,
  listTasks,
  type StreamItem,
  sendMessage,
  streamMessage,
  subscribeTask,
  type TaskStream,
} from '../gateway';
import type { Endpoint } from '../http/endpoint';
import { type RpcAnswer, type RpcCall, rpcRoute } from '../http/rpc-route';
import { ParleyError } from '../platform/errors';
import type { CoreRequest } from '../protocol/a2a/core/requests';
import { type Dialect, readRequest, wantsBareEvents } from '../protocol/a2a/dialects';
import type { JsonValue } from '../protocol/json';

/** `POST /agents/{slug}/a2a/jsonrpc`: A2A 0.3 and 1.0, and Web42's bare event stream. */
export const a2aJsonrpc: Endpoint = rpcRoute(async (call) => {
  const agent = await findAgent(call.slug);
  if (!agent) throw new ParleyError('invalid_token', 'The token is for an agent that is no longer listed.');
  return dispatch(call, agent, readRequest(call.dialect, call.rpc));
});

async function dispatch(call: RpcCall, agent: AgentRecord, request: CoreRequest): Promise<RpcAnswer> {
  const { ctx, dialect } = call;
  switch (request.op) {
    case 'send':
      return send(call, agent, request);
    case 'get':
      return result(dialect.taskResult(await getTask({ ctx, input: { agent, ...request } })));
    case 'list': {
      const page = await listTasks({ ctx, input: { agent, filter: request.filter } });
      return result(dialect.listResult(page, request.filter.includeArtifacts));
    }
    case 'cancel':
      return result(dialect.taskResult(await cancelTask({ ctx, input: { agent, taskId: request.taskId } })));
    case 'subscribe':
      return events(
        dialect,
        await subscribeTask({ ctx, input: { ...subscription(call), agent, taskId: request.taskId } }),
      );
    case 'push-config':
      throw new ParleyError('push_not_supported', 'Push notifications are not offered; subscribe to the task instead.');
    case 'extended-card':
      throw new ParleyError('extended_card_not_configured', 'This agent has no extended card.');
  }
}

async function send(call: RpcCall, agent: AgentRecord, request: CoreRequest & { op: 'send' }): Promise<RpcAnswer> {
  const { ctx, dialect, rpc, version } = call;
  const input = { agent, request, idempotencyKey: idempotencyKeyOf(call) };
  if (wantsBareEvents(rpc, version, call.request.headers.get('accept') ?? '')) {
    return bareEvents(dialect, await streamMessage({ ctx, input }));
  }
  if (request.streaming) return events(dialect, await streamMessage({ ctx, input }));
  return result(dialect.sendResult(await sendMessage({ ctx, input })));
}

function idempotencyKeyOf({ request }: RpcCall): string | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ParleyError('invalid_params', 'Idempotency-Key: expected 1 to 255 printable characters.');
}

function subscription({ request, url, dialect }: RpcCall): { after?: string; finished: 'refuse' | 'final-event' } {
  const after = request.headers.get('last-event-id') ?? url.searchParams.get('after') ?? undefined;
  return { after, finished: dialect.key === '1.0' ? 'refuse' : 'final-event' };
}

function result(value: JsonValue): RpcAnswer {
  return { kind: 'result', result: value };
}

function events(dialect: Dialect, stream: TaskStream): RpcAnswer {
  return { kind: 'events', events: encode(stream, (item) => encodeItem(dialect, stream, item)), bare: false };
}

/** Web42's stream opens with a status, also where others begin with the task or with the agent's message alone. */
function bareEvents(dialect: Dialect, stream: TaskStream): RpcAnswer {
  let opened = false;
  const open = (item: StreamItem): JsonValue[] => {
    if (opened) return 'task' in item ? [] : encodeItem(dialect, stream, item);
    opened = true;
    const status =
      'task' in item ? item.task.status : { state: 'working' as const, timestamp: new Date().toISOString() };
    const first =
      dialect.event({ type: 'status', status }, { taskId: stream.taskId, contextId: stream.contextId }) ?? [];
    return 'task' in item ? [first] : [first, ...encodeItem(dialect, stream, item)];
  };
  return { kind: 'events', events: encode(stream, open), bare: true };
}

function encodeItem(dialect: Dialect, { taskId, contextId }: TaskStream, item: StreamItem): JsonValue[] {
  if ('task' in item) return [dialect.snapshotEvent(item.task)];
  const data = dialect.event(item.event, { taskId, contextId });
  return data === null ? [] : [data];
}

type Encoded = { id: string; data: JsonValue }[];

async function* encode({ batches }: TaskStream, write: (item: StreamItem) => JsonValue[]): AsyncGenerator<Encoded> {
  for await (const batch of batches) {
    const encoded = batch.flatMap((item) => write(item).map((data) => ({ id: String(item.seq), data })));
    if (encoded.length > 0) yield encoded;
  }
}
