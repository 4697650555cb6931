import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, StreamEvent, Task } from '@parley/agent';
import type { Handler, Turn } from '@parley/agent/serve';
import { fromV03Event, toV03Message } from '@parley/agent/test';
import { callLocalAgent, type LocalAgent } from './local-agent.js';

/** The local agent's ids by Parley's ids, for both tasks and contexts. */
type Ids = Map<string, string>;

const METHODS = {
  '1.0': { stream: 'SendStreamingMessage', send: 'SendMessage', get: 'GetTask', cancel: 'CancelTask' },
  '0.3': { stream: 'message/stream', send: 'message/send', get: 'tasks/get', cancel: 'tasks/cancel' },
} as const;

const MAX_REMEMBERED = 20_000;
const POLL_MS = 1_000;
const CANCEL_MS = 3_000;
/** Maximum time in which a server must report the id of a task that was already canceled, in milliseconds. */
const NAME_MS = 60_000;
const QUESTIONS = new Set(['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED']);
const RUNNING = new Set(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']);

/** Returns a handler that forwards each turn to an A2A server on this machine, in 1.0 or 0.3. */
export function bridgeTo(agent: LocalAgent): Handler {
  const ids: Ids = new Map();
  return async function* forward(turn) {
    const watch: Watch = {
      taskId: turn.isReply ? ids.get(turn.taskId) : undefined,
      isRunning: false,
      isCanceled: false,
    };
    const { signal, token } = turn;
    const reading = untilNamed(signal, watch);
    signal.addEventListener('abort', () => void cancel(agent, watch, token), { once: true });
    const names = METHODS[agent.version];
    const method = agent.streaming ? names.stream : names.send;
    let stale: StreamEvent | null = null;
    const request = { method, params: paramsOf(agent, turn, ids), token, signal: reading };
    for await (const event of call(agent, request)) {
      note(event, { turn, ids, watch });
      if (signal.aborted) return void (watch.isRunning && (await cancel(agent, watch, token)));
      // Servers start a follow-up with the previous state of the task, including its question, which must not end this
      // turn as well.
      stale = turn.isReply && isQuestion(event) ? event : null;
      if (!stale) yield event;
    }
    if (stale) yield stale;
    // A server may respond before its task has ended, or end a stream early.
    while (watch.isRunning && watch.taskId !== undefined) {
      await sleep(POLL_MS, undefined, { signal });
      for await (const event of call(agent, { method: names.get, params: { id: watch.taskId }, token, signal })) {
        note(event, { turn, ids, watch });
        yield event;
      }
    }
  };
}

function isQuestion(event: StreamEvent): boolean {
  return 'task' in event && QUESTIONS.has(event.task.status.state);
}

/** The local task of a turn. */
interface Watch {
  taskId: string | undefined;
  isRunning: boolean;
  isCanceled: boolean;
}

/**
 * Returns a signal that aborts with the turn, but not before the server has reported its task's id, which is needed to
 * cancel it.
 */
function untilNamed(turn: AbortSignal, watch: Watch): AbortSignal {
  const reading = new AbortController();
  const stop = (): void => reading.abort(turn.reason);
  const onAbort = (): void => {
    if (watch.taskId === undefined) setTimeout(stop, NAME_MS).unref();
    else stop();
  };
  turn.addEventListener('abort', onAbort, { once: true });
  return reading.signal;
}

async function* call(agent: LocalAgent, request: Parameters<typeof callLocalAgent>[1]): AsyncGenerator<StreamEvent> {
  for await (const result of callLocalAgent(agent, request)) {
    const event = agent.version === '0.3' ? fromV03Event(result) : fromResult(result);
    if (event) yield event;
  }
}

/** Converts a result; that of `GetTask` in A2A 1.0 is the task itself. */
function fromResult(result: Record<string, unknown>): StreamEvent {
  return 'status' in result && 'id' in result ? { task: result as object as Task } : (result as object as StreamEvent);
}

function paramsOf({ version }: LocalAgent, turn: Turn, ids: Ids): object {
  const { contextId: _ours, taskId: _own, ...message } = turn.message;
  const taskId = turn.isReply ? ids.get(turn.taskId) : undefined;
  const contextId = ids.get(turn.contextId);
  const sent: Message = { ...message, ...(taskId && { taskId }), ...(contextId && { contextId }) };
  const { acceptedOutputModes, metadata } = turn;
  const configuration = { ...(acceptedOutputModes.length > 0 && { acceptedOutputModes }) };
  const rest = { ...(Object.keys(metadata).length > 0 && { metadata }) };
  if (version === '1.0') return { message: sent, configuration, ...rest };
  return { message: toV03Message(sent), configuration: { ...configuration, blocking: true }, ...rest };
}

function note(event: StreamEvent, { turn, ids, watch }: { turn: Turn; ids: Ids; watch: Watch }): void {
  if ('message' in event) {
    remember(ids, turn.contextId, event.message.contextId);
    return;
  }
  const update = 'statusUpdate' in event ? event.statusUpdate : null;
  const taskId = 'task' in event ? event.task.id : (update?.taskId ?? watch.taskId);
  const contextId = 'task' in event ? event.task.contextId : update?.contextId;
  watch.taskId = taskId || watch.taskId;
  remember(ids, turn.taskId, taskId);
  remember(ids, turn.contextId, contextId);
  const status = 'task' in event ? event.task.status : update?.status;
  if (status) watch.isRunning = RUNNING.has(status.state);
}

function remember(ids: Ids, ours: string, theirs: string | undefined): void {
  if (!theirs) return;
  ids.delete(ours);
  ids.set(ours, theirs);
  const [oldest] = ids.keys();
  if (ids.size > MAX_REMEMBERED && oldest !== undefined) ids.delete(oldest);
}

/** Cancels the local task after the caller canceled. Does not wait for a server that does not respond. */
async function cancel(agent: LocalAgent, watch: Watch, token: string): Promise<void> {
  const { taskId, isCanceled } = watch;
  if (taskId === undefined || isCanceled) return;
  watch.isCanceled = true;
  const request = { method: METHODS[agent.version].cancel, params: { id: taskId }, token };
  try {
    for await (const _result of callLocalAgent(agent, { ...request, signal: AbortSignal.timeout(CANCEL_MS) }));
  } catch {
    // The turn has ended for the caller regardless of the server's response.
  }
}
