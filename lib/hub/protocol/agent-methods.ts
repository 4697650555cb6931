import { consume } from '../../limits';
import { HubError } from '../../protocol/hub/errors';
import { parseParams } from '../../protocol/hub/frames';
import { agentCancelParams, agentSearchParams, agentSendParams } from '../../protocol/hub/hub-schema';
import type { JsonObject } from '../../protocol/json';
import { toRpcError } from '../channel';
import type { Delivery } from '../delivery';
import { AGENT_CALLS_RETRY_MS, MAX_AGENT_CALLS } from '../limits';
import { agentCalls, type CallingAgent, type SentTask } from '../ports';
import { SEARCH_LIMIT } from '../rate-limits';
import { findDelivery } from '../runs/deliveries';
import type { WorkerSession } from '../worker-session';
import type { HubChannel } from './hub-channel';

/** A response, and the work that follows when it has been sent. */
export interface AgentReply {
  result: JsonObject;
  after?: () => void;
}

/** A worker that calls other agents. */
interface CallingWorker {
  session: WorkerSession;
  from: CallingAgent;
}

/** The calls of one worker connection to other agents. Ends with the connection; the tasks continue. */
export class AgentMethods {
  /** The abort controllers of the calls that have not ended. */
  private readonly open = new Set<AbortController>();
  /** The abort controllers of the followed tasks. */
  private readonly followed = new Map<string, AbortController>();
  private closed = false;

  constructor(private readonly channel: HubChannel) {}

  /** Returns the method of this class with this name; null for any other method. */
  find(method: string): ((worker: CallingWorker, params: JsonObject) => Promise<AgentReply>) | null {
    switch (method) {
      case 'agent.search':
        return (worker, params) => this.search(worker, params);
      case 'agent.send':
        return (worker, params) => this.send(worker, params);
      case 'agent.cancel':
        return (worker, params) => this.cancel(worker, params);
      default:
        return null;
    }
  }

  /** Must be called when the connection has closed. */
  end(): void {
    this.closed = true;
    for (const call of this.open) call.abort();
  }

  private async search({ from }: CallingWorker, params: JsonObject): Promise<AgentReply> {
    const input = parseParams(agentSearchParams, params);
    return this.during(async () => {
      await consume(SEARCH_LIMIT, from.agentId, new Date());
      return { result: await agentCalls().search(input) };
    });
  }

  /** Responds when the task is persisted; its events follow. May wait for the user's approval. */
  private async send({ session, from }: CallingWorker, params: JsonObject): Promise<AgentReply> {
    const { agent: to, runId, contextId, taskId, metadata, message } = parseParams(agentSendParams, params);
    const run = runId === undefined ? null : requireRun(session, runId);
    const request = { message: { ...message, ...(contextId && { contextId }), ...(taskId && { taskId }) }, metadata };
    const call = this.begin();
    // The response is not needed after the run has ended.
    const unsubscribe = run?.whenEnded(() => call.abort());
    try {
      const parentTaskId = run?.run.taskId ?? null;
      const sent = await agentCalls().send({ from, to, request, parentTaskId }, call.signal);
      if (run?.ended) return await abandon(from, sent);
      return { result: { task: sent.task }, after: () => void this.follow(sent) };
    } finally {
      unsubscribe?.();
      this.open.delete(call);
    }
  }

  private async cancel({ from }: CallingWorker, params: JsonObject): Promise<AgentReply> {
    const { taskId } = parseParams(agentCancelParams, params);
    return this.during(async () => ({ result: { task: await agentCalls().cancel({ from, taskId }) } }));
  }

  /**
   * Sends a notification for each event in order, as fast as the worker reads. A repeated send replaces the earlier
   * one.
   */
  private async follow({ taskId, events }: SentTask): Promise<void> {
    if (this.closed) return;
    this.followed.get(taskId)?.abort();
    const call = new AbortController();
    this.open.add(call);
    this.followed.set(taskId, call);
    try {
      for await (const item of events(call.signal)) await this.channel.notifyFlushed('agent.event', { taskId, item });
    } catch (error) {
      if (!call.signal.aborted) this.channel.notify('agent.event', { taskId, error: toRpcError(error) });
    } finally {
      this.open.delete(call);
      if (this.followed.get(taskId) === call) this.followed.delete(taskId);
    }
  }

  private async during(perform: () => Promise<AgentReply>): Promise<AgentReply> {
    const call = this.begin();
    try {
      return await perform();
    } finally {
      this.open.delete(call);
    }
  }

  /**
   * Registers a call.
   * @throws {HubError} `too_many_calls`
   */
  private begin(): AbortController {
    if (this.open.size >= MAX_AGENT_CALLS) {
      const text = `${MAX_AGENT_CALLS} calls of this connection are still open, which is the limit.`;
      throw new HubError('too_many_calls', text, AGENT_CALLS_RETRY_MS);
    }
    const call = new AbortController();
    this.open.add(call);
    return call;
  }
}

/** Cancels a task that was sent while the run ended, because its events would have no reader. */
async function abandon(from: CallingAgent, { taskId }: SentTask): Promise<AgentReply> {
  return { result: { task: await agentCalls().cancel({ from, taskId }) } };
}

/**
 * Returns a run that this connection's worker has accepted.
 * @throws {HubError} `unknown_run` for any other
 */
function requireRun(session: WorkerSession, runId: string): Delivery {
  const delivery = findDelivery(runId);
  if (delivery?.isAccepted && session.deliveries.has(delivery)) return delivery;
  throw new HubError('unknown_run', 'The run has ended, or belongs to another worker.');
}
