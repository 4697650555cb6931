import type { AgentRecord } from '../catalog';
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
} from '../gateway';
import type { StreamEndpoint } from '../http/endpoint';
import { EventStream } from '../http/event-stream';
import { activatedHeaders } from '../http/extensions';
import { idempotencyKeyOf } from '../http/idempotency-key';
import { prefer, preferenceOf, withQuickAnswer } from '../http/prefer';
import { type RpcAnswer, type RpcCall, rpcRoute } from '../http/rpc-route';
import type { Task } from '../protocol/a2a/core/model';
import { type Dialect, readRequest, wantsBareEvents } from '../protocol/a2a/dialects';
import type { JsonValue } from '../protocol/json';
import { type Asked, answerNamedSend, namedEvents, type OtherRequest, withFiles, withNames } from './a2a-named';
import { answerPush, pushDialectOf } from './a2a-push';
import { writeBareEvents } from './bare-events';
import { eventText } from './event-text';

/** `POST /agents/{slug}/a2a/jsonrpc`: A2A 0.1, 0.3 and 1.0, and Web42's bare event stream. */
export const a2aJsonrpc: StreamEndpoint = rpcRoute(answerA2a);

/** Answers one call of any path and binding: the same codec reads it and the same verbs carry it out. */
export function answerA2a(call: RpcCall): Promise<RpcAnswer> {
  const { agent } = call;
  const request = readRequest(call.dialect, call.rpc);
  if (request.op === 'send-named') return answerNamedSend(call, agent, request);
  return withNames({ call, agent, request }, dispatch);
}

function dispatch({ call, agent, request }: Asked): Promise<RpcAnswer> {
  return request.op === 'send' ? send(call, agent, request) : carryOut(call, agent, request);
}

type NoSend = Exclude<OtherRequest, { op: 'send' }>;

async function carryOut(call: RpcCall, agent: AgentRecord, request: NoSend): Promise<RpcAnswer> {
  const { ctx, dialect, extensions } = call;
  switch (request.op) {
    case 'get':
      return taskResult(call, await getTask({ ctx, input: { agent, ...request } }));
    case 'list': {
      const page = await listTasks({ ctx, input: { agent, filter: request.filter } });
      return result(dialect.listResult(page, request.filter.includeArtifacts));
    }
    case 'cancel':
      return taskResult(call, await cancelTask({ ctx, input: { agent, extensions, ...request } }), true);
    case 'subscribe':
      return events(
        dialect,
        await subscribeTask({ ctx, input: { ...subscription(call), agent, taskId: request.taskId } }),
      );
    case 'push-set':
    case 'push-get':
    case 'push-list':
    case 'push-delete':
      return result(await answerPush(call, agent, request));
    case 'extended-card':
      return result(
        await getExtendedCard({ ctx, input: { agent, extensions, shape: dialect.cardShape } }),
        activatedHeaders(call.request, extensions),
      );
  }
}

async function send(call: RpcCall, agent: AgentRecord, request: OtherRequest & { op: 'send' }): Promise<RpcAnswer> {
  const { ctx, dialect, rpc, version } = call;
  const preference = preferenceOf(call.request);
  const preferred = prefer(request, preference);
  // Its clients leave `blocking` out and continue the task right away.
  const isRest03 = call.binding === 'HTTP+JSON' && dialect.cardShape !== '1.0';
  const input = {
    agent,
    request: isRest03 ? withQuickAnswer(preferred) : preferred,
    pushDialect: pushDialectOf(call),
    idempotencyKey: idempotencyKeyOf(call.request),
    extensions: call.extensions,
  };
  // The paths of the first generation answer in shapes of their own.
  const isNeutral = call.binding === 'JSONRPC' && !dialect.named;
  if (isNeutral && wantsBareEvents(rpc, version, call.request.headers.get('accept') ?? '')) {
    const stream = await streamMessage({ ctx, input });
    return withActivated(call, answerWith(stream, writeBareEvents(dialect, stream), true));
  }
  if (request.streaming) return withActivated(call, events(dialect, await streamMessage({ ctx, input })));
  const answer = await sendMessage({ ctx, input });
  const plain = 'task' in answer && !dialect.named;
  return result(plain ? dialect.sendResult(answer) : await namedResult(call, agent, answer), {
    ...preference.applied,
    ...activatedHeaders(call.request, call.extensions),
  });
}

/** A dialect that has only tasks gets the task of a message that was the agent's whole answer. */
async function namedResult(
  call: RpcCall,
  agent: AgentRecord,
  answer: Awaited<ReturnType<typeof sendMessage>>,
): Promise<JsonValue> {
  const { ctx, dialect } = call;
  if ('task' in answer) return dialect.sendResult({ task: await withFiles(call, answer.task) });
  const { taskId } = answer.message;
  if (!dialect.named || taskId === undefined) return dialect.sendResult(answer);
  return dialect.sendResult({ task: await withFiles(call, await getTask({ ctx, input: { agent, taskId } })) });
}

async function taskResult(call: RpcCall, task: Task, asksAgent = false): Promise<RpcAnswer> {
  const headers = asksAgent ? activatedHeaders(call.request, call.extensions) : undefined;
  return result(call.dialect.taskResult(await withFiles(call, task)), headers);
}

/** The answer with the extensions that the agent activated: they are known once it has said something. */
function withActivated(call: RpcCall, answer: RpcAnswer): RpcAnswer {
  const headers = activatedHeaders(call.request, call.extensions);
  if (!headers || answer.kind !== 'events') return answer;
  const { open } = answer;
  return {
    ...answer,
    open: (frame, leave) => {
      const stream = open(frame, leave);
      Object.assign(stream.headers, headers);
      return stream;
    },
  };
}

function subscription({ request, query, dialect }: RpcCall): {
  after?: string;
  finished: 'refuse' | 'final-event';
  untilOver?: boolean;
} {
  const after = request.headers.get('last-event-id') ?? query.get('after') ?? undefined;
  const finished = dialect.key === '1.0' ? 'refuse' : 'final-event';
  return { after, finished, untilOver: dialect.named?.followsQuestions };
}

function result(value: JsonValue, headers?: Record<string, string>): RpcAnswer {
  return { kind: 'result', result: value, headers };
}

function events(dialect: Dialect, stream: TaskStream): RpcAnswer {
  if (dialect.named) return namedEvents(dialect.named, stream);
  const write = (item: StreamItem): string[] => encodeItem(dialect, stream, item);
  return answerWith(stream, write, false);
}

function encodeItem(dialect: Dialect, { taskId, contextId }: TaskStream, item: StreamItem): string[] {
  if ('task' in item) return [JSON.stringify(dialect.snapshotEvent(item.task))];
  const text = eventText(dialect, item.event, { taskId, contextId });
  return text === null ? [] : [text];
}

function answerWith({ batches }: TaskStream, write: (item: StreamItem) => string[], bare: boolean): RpcAnswer {
  return {
    kind: 'events',
    bare,
    open: (frame, leave) => {
      const framed = (item: StreamItem): string => {
        let text = '';
        for (const json of write(item)) text += frame(json, item.seq);
        return text;
      };
      return EventStream.of({ batches, write: framed, leave });
    },
  };
}
