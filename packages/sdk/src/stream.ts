import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import { ParleyError } from './errors.js';
import { readObject, unreachable } from './request.js';
import { pause } from './retry.js';
import { postRpc, type RpcCall, type RpcTransport, readResult } from './rpc.js';
import type { StreamEvent, TaskState } from './wire.js';

/** States in which the agent sends nothing more until the next message. */
const SETTLED: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);
/** Delays before a broken stream is resumed; every received event resets them. */
const BACKOFF_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];
/** Gateway responses while the server restarts. */
const PASSING: ReadonlySet<number> = new Set([502, 503, 504]);

/** A stream's position. */
interface Progress {
  taskId: string | null;
  lastEventId: string | null;
  settled: boolean;
}

/**
 * Yields the events of a streaming call. After a disconnect, the stream resumes after the last event (`Last-Event-ID`):
 * no event is missed or repeated. If the reader stops, the task continues.
 * @throws {ParleyError} if the call is refused, or the stream cannot be resumed
 */
export async function* streamEvents(
  transport: RpcTransport,
  call: RpcCall,
): AsyncGenerator<StreamEvent, void, undefined> {
  const progress: Progress = { taskId: null, lastEventId: null, settled: false };
  for (let attempt = 0; ; attempt += 1) {
    try {
      for await (const event of readOnce(transport, attempt === 0 ? call : resumeOf(call, progress), progress)) {
        attempt = 0;
        yield event;
      }
      if (progress.settled) return;
    } catch (error) {
      if (progress.settled) return;
      if (!mayResume(error, progress) || attempt >= BACKOFF_MS.length) throw error;
    }
    if (attempt >= BACKOFF_MS.length || progress.taskId === null) throw brokenOff(call);
    await pause(BACKOFF_MS[attempt] ?? 0, call.signal);
  }
}

function resumeOf({ agent, signal, headers }: RpcCall, { taskId, lastEventId }: Progress): RpcCall {
  const after = { ...headers, ...(lastEventId !== null && { 'last-event-id': lastEventId }) };
  return { agent, signal, method: 'SubscribeToTask', params: { id: taskId }, headers: after };
}

/**
 * Returns true if the stream can be resumed. If it breaks before the task is known, it cannot: the caller decides if
 * the same `messageId` is resent.
 */
function mayResume(error: unknown, { taskId }: Progress): boolean {
  if (!(error instanceof ParleyError) || taskId === null) return false;
  return error.code === 'unreachable' || PASSING.has(error.status ?? 0);
}

function brokenOff({ agent }: RpcCall): ParleyError {
  return new ParleyError('unreachable', `The stream from ${agent} ended before its task ended.`);
}

async function* readOnce(
  transport: RpcTransport,
  call: RpcCall,
  progress: Progress,
): AsyncGenerator<StreamEvent, void, undefined> {
  const response = await postRpc(transport, call);
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  // A call refused before its first event has a JSON response.
  if (!isStream || !response.body) {
    yield track(readResult<StreamEvent>(await readObject(response)), '', progress);
    return;
  }
  for await (const { id, data } of messagesOf(response, response.body, call.signal)) {
    // Proxies keep streams open with their own events; those of a call are objects with a result or an error.
    const answer = data.trimStart().startsWith('{') ? readData(data) : {};
    if ('result' in answer || 'error' in answer) yield track(readResult<StreamEvent>(answer), id, progress);
  }
}

function readData(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ParleyError('invalid_answer', 'An event of the stream is not JSON.', { cause });
  }
}

/** @throws {ParleyError} `unreachable` if the connection breaks */
async function* messagesOf(
  { url }: Response,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const text = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>);
  const reader = text.pipeThrough(new EventSourceParserStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : unreachable(url, error);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function track(event: StreamEvent, id: string | undefined, progress: Progress): StreamEvent {
  if (id) progress.lastEventId = id;
  if ('message' in event) progress.settled = true;
  const taskId = 'task' in event ? event.task.id : 'statusUpdate' in event ? event.statusUpdate.taskId : null;
  progress.taskId ??= taskId;
  const status = 'task' in event ? event.task.status : 'statusUpdate' in event ? event.statusUpdate.status : null;
  if (status) progress.settled = SETTLED.has(status.state);
  return event;
}
