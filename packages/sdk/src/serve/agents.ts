import { ParleyError } from '../errors.js';
import type { Part, StreamEvent, Task } from '../wire.js';
import { AgentReply, applyEvent, settles } from './agent-reply.js';
import { isDisconnected, isObject, type JsonObject, type Peer } from './peer.js';

/** An agent of the catalog, as Parley's API describes it. */
export interface FoundAgent {
  slug: string;
  name: string;
  description: string;
  [member: string]: unknown;
}

/** A message to another agent; a string is short for `{ text }`. */
export interface DelegatedMessage {
  text?: string;
  /** Files and data, after the text. */
  parts?: Part[];
  /** The conversation to continue. */
  contextId?: string;
  /** The task that it answers. */
  taskId?: string;
}

export interface DelegateOptions {
  /** Called with each event as it comes. */
  onEvent?: (event: StreamEvent) => void;
}

/** The other agents of this Parley, called through it for the caller of a turn. Methods throw `ParleyError`. */
export interface Agents {
  search(query: string, options?: { limit?: number }): Promise<{ items: FoundAgent[]; total: number }>;
  /** Sends a message and waits until the agent has answered, or asks something. */
  send(agent: string, message: string | DelegatedMessage, options?: DelegateOptions): Promise<AgentReply>;
}

/** A call to another agent that has not ended. */
interface OpenCall {
  params: JsonObject;
  task: Task | null;
  onEvent: (event: StreamEvent) => void;
  resolve: (reply: AgentReply) => void;
  reject: (error: unknown) => void;
}

/** What a turn brings: its run, and its cancel. */
interface CallerTurn {
  runId: string;
  signal: AbortSignal;
}

/** Calls of a worker to other agents. They survive its connection: a message that is sent again is processed once. */
export class AgentCalls {
  private readonly open = new Set<OpenCall>();

  /** `connected` resolves with the current connection, or the next one. */
  constructor(private readonly connected: () => Promise<Peer>) {}

  /** The agents as a turn sees them. */
  forTurn(turn: CallerTurn): Agents {
    return {
      search: async (query, { limit } = {}) => {
        const { items, total } = await this.search({ query, ...(limit !== undefined && { limit }) });
        return { items: (Array.isArray(items) ? items : []) as FoundAgent[], total: Number(total ?? 0) };
      },
      send: (agent, message, { onEvent } = {}) =>
        this.send(turn, { agent, runId: turn.runId, ...paramsOf(message) }, onEvent),
    };
  }

  /** `agent.event`. */
  receive({ taskId, item }: JsonObject): undefined {
    const call = [...this.open].find(({ task }) => task?.id === taskId);
    if (call && isObject(item)) this.note(call, item as object as StreamEvent);
  }

  /** Connected again: sends open calls again, whose task then is what they missed. */
  resume(peer: Peer): void {
    for (const call of this.open) void this.request(call, peer);
  }

  /** The worker has stopped. */
  stop(error: unknown): void {
    for (const call of this.open) this.end(call).reject(error);
  }

  private async search(params: JsonObject): Promise<JsonObject> {
    try {
      return await (await this.connected()).request('agent.search', params);
    } catch (error) {
      if (!isDisconnected(error)) throw error;
      return (await this.connected()).request('agent.search', params);
    }
  }

  private async send(
    { signal }: CallerTurn,
    params: JsonObject,
    onEvent: (event: StreamEvent) => void = () => undefined,
  ): Promise<AgentReply> {
    const peer = await this.connected();
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const call: OpenCall = { params, task: null, onEvent, resolve, reject };
      this.open.add(call);
      signal.addEventListener('abort', () => this.cancel(call, signal.reason), { once: true });
      void this.request(call, peer);
    });
  }

  private async request(call: OpenCall, peer: Peer): Promise<void> {
    const onResult = ({ task }: JsonObject): void => {
      if (isObject(task)) this.note(call, { task: task as object as Task });
    };
    try {
      const result = await peer.request('agent.send', call.params, { onResult });
      if (!isObject(result.task)) throw new ParleyError('invalid_answer', 'Parley answered agent.send without a task.');
    } catch (error) {
      // The next connection sends it again.
      if (!isDisconnected(error)) this.end(call).reject(error);
    }
  }

  private note(call: OpenCall, event: StreamEvent): void {
    if (!this.open.has(call)) return;
    if ('task' in event) call.task = event.task;
    else if (call.task) call.task = applyEvent(call.task, event);
    call.onEvent(event);
    if (call.task && ('message' in event || settles(event))) this.end(call).resolve(new AgentReply(call.task));
  }

  /** The turn was cancelled: so is what it asked of others. */
  private cancel(call: OpenCall, reason: unknown): void {
    if (!this.open.has(call)) return;
    this.end(call).reject(reason);
    const taskId = call.task?.id;
    if (taskId === undefined) return;
    void this.connected()
      .then((peer) => peer.request('agent.cancel', { taskId }))
      .catch(() => undefined);
  }

  private end(call: OpenCall): OpenCall {
    this.open.delete(call);
    return call;
  }
}

function paramsOf(given: string | DelegatedMessage): JsonObject {
  const { text, parts = [], contextId, taskId } = typeof given === 'string' ? { text: given } : given;
  const all = text === undefined ? parts : [{ text }, ...parts];
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: all };
  return { message, ...(contextId !== undefined && { contextId }), ...(taskId !== undefined && { taskId }) };
}
