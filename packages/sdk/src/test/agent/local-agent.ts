import { settles } from '../../serve/agent-reply.js';
import type { Agents } from '../../serve/agents.js';
import { type Handler, statusEvent } from '../../serve/turn.js';
import type { StreamEvent, Task } from '../../wire.js';
import { toV03Event } from '../a2a-v03.js';
import { type JsonObject, objectOf } from '../json-value.js';
import { type AgentCall, readCall } from './calls.js';
import { noAgents, runHandler } from './run-handler.js';
import { TaskLog } from './task-log.js';

/**
 * Changes of what an agent sends, to test how callers handle them. Each may return its argument unchanged. Events are
 * in the form of A2A 1.0, before they are encoded.
 */
export interface Alterations {
  card?: (card: JsonObject) => JsonObject;
  /** Instead of an answer. */
  call?: (call: AgentCall) => Response | Promise<Response> | undefined;
  /** Changes, repeats or omits (by an empty array) an event of a stream. */
  event?: (event: JsonObject, call: AgentCall) => JsonObject | JsonObject[];
  /** The task or message of a response that is not a stream. */
  result?: (result: JsonObject, call: AgentCall) => JsonObject;
  /** The whole body of a response, or the data of an event of a stream: in JSON-RPC the envelope. */
  body?: (body: JsonObject, call: AgentCall) => unknown;
  response?: (response: Response, call: AgentCall) => Response | Promise<Response>;
  /** Cancellations are acknowledged, but the work continues. */
  ignoresCancel?: boolean;
}

export interface AgentDefinition {
  /** Returns the card for the origin at which it is requested. */
  card: (origin: string) => JsonObject;
  handle: Handler;
  /** The agents that the handler may hire; none by default. */
  agents?: Agents;
  alter?: Alterations;
  /** Called with errors of the handler. */
  onError?: (error: unknown) => void;
}

/** An error that is sent to the caller. */
class CallError extends Error {
  constructor(
    readonly code: number,
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const MAX_TASKS = 10_000;
/** Time after which the task is sent although the agent has not answered yet. */
const FIRST_EVENT_MS = 200;

/** An A2A agent in memory: JSON-RPC of 1.0 and 0.3 at `/a2a`, HTTP+JSON of 1.0 at `/rest`, and its card. */
export class LocalAgent {
  /** All calls so far, but those of the card. */
  readonly calls: AgentCall[] = [];
  private readonly tasks = new Map<string, TaskLog>();

  constructor(private readonly definition: AgentDefinition) {}

  /** Answers a request. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const { alter = {} } = this.definition;
    const call = await readCall(request);
    if (call.operation !== 'card') this.calls.push(call);
    const response = (await alter.call?.(call)) ?? (await this.answer(call));
    return alter.response ? alter.response(response, call) : response;
  };

  private async answer(call: AgentCall): Promise<Response> {
    const { alter = {} } = this.definition;
    try {
      if (call.operation === 'card') {
        const card = this.cardFor(call);
        return json(alter.card ? alter.card(card) : card);
      }
      if (call.fault) throw new CallError(call.fault.code, call.fault.status, call.fault.message);
      if (call.operation === 'stream' || call.operation === 'subscribe') return this.stream(call);
      const result = await this.resultOf(call);
      return json(this.enclose(call, { result: alter.result ? alter.result(result, call) : result }));
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      const { code, status, message } = error;
      const body = this.enclose(call, { error: { code, message } });
      return json(body, call.binding === 'JSONRPC' ? 200 : status);
    }
  }

  private async resultOf(call: AgentCall): Promise<JsonObject> {
    const { operation, params } = call;
    const { capabilities } = this.cardFor(call);
    const { pushNotifications, extendedAgentCard } = objectOf(capabilities);
    switch (operation) {
      case 'send': {
        const log = this.begin(call);
        const { returnImmediately, blocking } = objectOf(params.configuration);
        if (returnImmediately !== true && blocking !== false) await log.settled();
        return log.message ? encode({ message: log.message }, call) : encode({ task: log.task }, call);
      }
      case 'get':
        return bare(this.taskOf(call).task, call);
      case 'cancel':
        return bare(this.cancel(this.taskOf(call)), call);
      case 'set-push':
        if (pushNotifications !== true) throw new CallError(-32003, 400, 'Push notifications are not supported.');
        this.taskOf(call);
        return params;
      case 'extended-card':
        if (extendedAgentCard !== true) throw new CallError(-32007, 400, 'There is no extended card.');
        return this.cardFor(call);
      default:
        throw new CallError(-32601, 404, 'The method does not exist.');
    }
  }

  private cardFor({ request }: AgentCall): JsonObject {
    return this.definition.card(new URL(request.url).origin);
  }

  private taskOf({ params }: AgentCall): TaskLog {
    const log = this.tasks.get(String(params.taskId ?? params.id));
    if (!log) throw new CallError(-32001, 404, 'The task does not exist.');
    return log;
  }

  /** Starts a turn. */
  private begin(call: AgentCall): TaskLog {
    const { message, params, request } = call;
    if (!message) throw new CallError(-32602, 400, 'The request has no message.');
    const log = this.logFor(call);
    log.begin(message);
    const { acceptedOutputModes } = objectOf(params.configuration);
    const turn = {
      message,
      token: request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? '',
      metadata: objectOf(params.metadata),
      acceptedOutputModes: Array.isArray(acceptedOutputModes) ? acceptedOutputModes.map(String) : [],
      agents: this.definition.agents ?? noAgents,
    };
    const { handle, onError = () => undefined } = this.definition;
    // After the caller has subscribed to the events.
    queueMicrotask(() => void runHandler(handle, log, { turn, onError }));
    return log;
  }

  private logFor({ message }: AgentCall): TaskLog {
    const { taskId, contextId = crypto.randomUUID() } = message ?? {};
    if (taskId === undefined) {
      const log = new TaskLog({ id: crypto.randomUUID(), contextId });
      const [oldest] = this.tasks.keys();
      if (this.tasks.size >= MAX_TASKS && oldest !== undefined) this.tasks.delete(oldest);
      this.tasks.set(log.task.id, log);
      return log;
    }
    const log = this.tasks.get(taskId);
    if (!log) throw new CallError(-32001, 404, 'The task does not exist.');
    const waits = /INPUT_REQUIRED|AUTH_REQUIRED/.test(log.task.status.state);
    if (!waits) throw new CallError(-32004, 400, 'The task does not wait for a message.');
    return log;
  }

  private cancel(log: TaskLog): Task {
    const { state } = log.task.status;
    if (/COMPLETED|FAILED|CANCELED|REJECTED/.test(state)) throw new CallError(-32002, 409, `The task is ${state}.`);
    if (this.definition.alter?.ignoresCancel) return log.task;
    log.abort.abort(new DOMException('The caller canceled the task.', 'AbortError'));
    const ids = { taskId: log.task.id, contextId: log.task.contextId };
    log.add(statusEvent(ids, 'TASK_STATE_CANCELED'));
    return log.task;
  }

  /** Streams the events of a task. Its first event is the task, unless the agent answers at once with a message. */
  private stream(call: AgentCall): Response {
    const log = call.operation === 'stream' ? this.begin(call) : this.taskOf(call);
    const first = log.task;
    const encoder = new TextEncoder();
    let stop: () => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        let hasBegun = false;
        const send = (event: StreamEvent): void => {
          for (const line of this.linesOf(event, call)) controller.enqueue(encoder.encode(line));
        };
        const begin = (): void => {
          if (!hasBegun) send({ task: first });
          hasBegun = true;
        };
        const timer = setTimeout(begin, FIRST_EVENT_MS);
        const unfollow = log.follow((event) => {
          clearTimeout(timer);
          if (event === null) return controller.close();
          if (!('message' in event)) begin();
          send(event);
        });
        stop = () => {
          clearTimeout(timer);
          unfollow();
        };
        if (log.isRunning) return;
        begin();
        stop();
        controller.close();
      },
      cancel: () => stop(),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  /** Returns an event as it is sent. */
  private linesOf(event: StreamEvent, call: AgentCall): string[] {
    const { alter = {} } = this.definition;
    const altered = alter.event ? alter.event(event as object as JsonObject, call) : [event];
    return (Array.isArray(altered) ? altered : [altered]).map((one) => {
      const data = this.enclose(call, { result: encode(one as object as StreamEvent, call) });
      return `data: ${JSON.stringify(data)}\n\n`;
    });
  }

  /** Returns the body with this result or error, in JSON-RPC inside the envelope. */
  private enclose(call: AgentCall, { result, error }: { result?: JsonObject; error?: JsonObject }): unknown {
    const { binding, id } = call;
    const body =
      binding === 'JSONRPC' ? { jsonrpc: '2.0', id, ...(error ? { error } : { result }) } : (result ?? { error });
    const { alter = {} } = this.definition;
    return alter.body ? alter.body(body as JsonObject, call) : body;
  }
}

/** Returns an event in the form of the call's version. */
function encode(event: StreamEvent, { version }: AgentCall): JsonObject {
  return version === '1.0' ? (event as object as JsonObject) : toV03Event(event, !('task' in event) && settles(event));
}

/** Returns a task without the wrapper of A2A 1.0. */
function bare(task: Task, call: AgentCall): JsonObject {
  return call.version === '1.0' ? (task as object as JsonObject) : encode({ task }, call);
}

function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } });
}
