import { ParleyError } from '../errors.js';
import type { StreamEvent, Task } from '../wire.js';
import { AgentReply, applyEvent, settles } from './agent-reply.js';
import type { Agents, DelegatedMessage, DelegateOptions, FoundAgent } from './agents.js';
import { type Clock, sleep } from './clock.js';
import { type OnError, reportTo } from './on-error.js';
import { isDisconnected, isObject, type JsonObject, type Peer, readRpcError } from './peer.js';

/** An open call to another agent. */
interface OpenCall {
  params: JsonObject;
  /** The connection on which the call was last sent. */
  peer: Peer | null;
  task: Task | null;
  isCanceled: boolean;
  onEvent: (event: StreamEvent) => void;
  resolve: (reply: AgentReply) => void;
  reject: (error: unknown) => void;
  /** Stops listening to signals. */
  unsubscribe: () => void;
}

/** Data of a turn: its run, and its cancellation. */
interface CallerTurn {
  runId: string;
  signal: AbortSignal;
}

export interface AgentCallsOptions {
  /** Resolves with the current connection, or the next one. */
  connected: () => Promise<Peer>;
  clock: Clock;
  onError: OnError;
}

/** Calls of a worker to other agents. They survive its connection: a resent message is processed once. */
export class AgentCalls {
  private readonly open = new Set<OpenCall>();
  private readonly stopped = new AbortController();

  constructor(private readonly options: AgentCallsOptions) {}

  /** Returns the agents for one turn. */
  forTurn(turn: CallerTurn): Agents {
    return {
      search: async (query, options = {}) => {
        const { items, total } = await this.search({ query, ...options });
        return { items: (Array.isArray(items) ? items : []) as FoundAgent[], total: Number(total ?? 0) };
      },
      send: (agent, message, options = {}) =>
        this.send(turn, { agent, runId: turn.runId, ...paramsOf(message) }, options),
    };
  }

  /**
   * Handles `agent.event` of a connection. Only events of the connection on which the call was last sent count: others
   * are repetitions.
   */
  receive({ taskId, item, error }: JsonObject, peer: Peer): undefined {
    const call = [...this.open].find((open) => open.peer === peer && open.task?.id === taskId);
    if (!call) return;
    if (isObject(error)) this.end(call).reject(readRpcError(error));
    else if (isObject(item)) this.note(call, item as object as StreamEvent);
  }

  /** Resends open calls after a reconnect; their tasks then contain the missed events. */
  resume(peer: Peer): void {
    for (const call of this.open) void this.request(call, peer);
  }

  /** Stops all calls, because the worker has stopped. */
  stop(error: unknown): void {
    this.stopped.abort();
    for (const call of this.open) this.end(call).reject(error);
  }

  private async search(params: JsonObject): Promise<JsonObject> {
    const { connected } = this.options;
    try {
      return await (await connected()).request('agent.search', params);
    } catch (error) {
      if (!isDisconnected(error)) throw error;
      return (await connected()).request('agent.search', params);
    }
  }

  private async send(
    turn: CallerTurn,
    params: JsonObject,
    { onEvent = () => undefined, signal }: DelegateOptions,
  ): Promise<AgentReply> {
    const peer = await this.options.connected();
    const signals = signal ? [turn.signal, signal] : [turn.signal];
    for (const each of signals) each.throwIfAborted();
    return new Promise((resolve, reject) => {
      const cancel = (): void => this.cancel(call, signals.find(({ aborted }) => aborted)?.reason);
      const unsubscribe = (): void => {
        for (const each of signals) each.removeEventListener('abort', cancel);
      };
      const call: OpenCall = {
        params,
        peer: null,
        task: null,
        isCanceled: false,
        onEvent,
        resolve,
        reject,
        unsubscribe,
      };
      this.open.add(call);
      for (const each of signals) each.addEventListener('abort', cancel);
      void this.request(call, peer);
    });
  }

  private async request(call: OpenCall, peer: Peer): Promise<void> {
    call.peer = peer;
    const onResult = ({ task }: JsonObject): void => {
      if (call.isCanceled && isObject(task)) this.cancelTask(String(task.id));
      else if (isObject(task) && call.peer === peer && this.open.has(call))
        this.note(call, { task: task as object as Task });
    };
    try {
      // Without a timeout: the user may have to approve it.
      const result = await peer.request('agent.send', call.params, { timeoutMs: null, onResult });
      if (!isObject(result.task)) throw new ParleyError('invalid_answer', 'Parley returned no task for agent.send.');
    } catch (error) {
      await this.handleRefusal(call, peer, error);
    }
  }

  /**
   * Handles a refusal. The next connection resends the message; a call whose task exists is also resent if Parley is
   * only busy.
   */
  private async handleRefusal(call: OpenCall, peer: Peer, error: unknown): Promise<void> {
    if (isDisconnected(error) || call.peer !== peer || !this.open.has(call)) return;
    const retryAfter = error instanceof ParleyError ? error.retryAfter : null;
    if (!call.task || retryAfter === null) {
      this.end(call).reject(error);
      return;
    }
    await sleep(this.options.clock, retryAfter * 1_000, this.stopped.signal);
    if (call.peer === peer && this.open.has(call)) await this.request(call, peer);
  }

  private note(call: OpenCall, event: StreamEvent): void {
    if ('task' in event) call.task = event.task;
    else if (call.task) call.task = applyEvent(call.task, event);
    try {
      call.onEvent(event);
    } catch (error) {
      this.options.onError(error, 'onEvent');
    }
    if (call.task && ('message' in event || settles(event))) this.end(call).resolve(new AgentReply(call.task));
  }

  /** Cancels the calls of a canceled turn. */
  private cancel(call: OpenCall, reason: unknown): void {
    if (!this.open.has(call)) return;
    call.isCanceled = true;
    this.end(call).reject(reason);
    // A task whose id is not yet known is canceled when Parley responds.
    if (call.task) this.cancelTask(call.task.id);
  }

  private cancelTask(taskId: string): void {
    this.options
      .connected()
      .then((peer) => peer.request('agent.cancel', { taskId }))
      .catch(reportTo(this.options.onError, 'Canceling another agent’s task'));
  }

  private end(call: OpenCall): OpenCall {
    this.open.delete(call);
    call.unsubscribe();
    return call;
  }
}

function paramsOf(given: string | DelegatedMessage): JsonObject {
  const { text, parts = [], contextId, taskId, metadata } = typeof given === 'string' ? { text: given } : given;
  const all = text === undefined ? parts : [{ text }, ...parts];
  const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: all };
  return {
    message,
    ...(contextId !== undefined && { contextId }),
    ...(taskId !== undefined && { taskId }),
    ...(metadata !== undefined && { metadata }),
  };
}
