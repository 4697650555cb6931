import type { AgentRecord } from '../../catalog';
import { type Delivery, findPresence, reserveWorker } from '../../hub';
import { keepInterest, subscribe } from '../../platform/bus';
import { ParleyError } from '../../platform/errors';
import { once } from '../../platform/runtime/once';
import type { Message } from '../../protocol/a2a/core/model';
import { toAgentRequest } from '../../protocol/a2a/dialects';
import { isObject, type JsonObject } from '../../protocol/json';
import { DEFAULT_QUEUE_SECONDS, MAX_WAITING_RUNS, OFFLINE_RETRY_AFTER_SECONDS } from '../limits';
import type { QueuedSend, QueuedTurn, RunSource } from '../runs/run-source';
import type { SendInput } from '../runs/send-input';
import { countWaitingRuns, type NewHubRun } from '../store/hub-runs';
import { hubRun, queueSecondsOf } from './deliver-turn';

/**
 * Determines whether a send may wait for a worker.
 * @throws {ParleyError} `agent_offline` if no worker is connected and the agent has no queue, or no worker ever
 *   connected; `unavailable` if too many runs wait
 */
export async function admitToQueue(agent: AgentRecord, release: () => void, now: Date): Promise<QueuedSend> {
  const { online, everConnected } = await findPresence(agent.id);
  const queueSeconds = queueSecondsOf(agent);
  if (!online && (!everConnected || queueSeconds === 0)) throw agentOffline(everConnected);
  // If a worker is connected, runs wait at least the default time for it to become available.
  const waitSeconds = online ? Math.max(queueSeconds, DEFAULT_QUEUE_SECONDS) : queueSeconds;
  if (!online && (await countWaitingRuns(agent.id)) >= MAX_WAITING_RUNS) throw queueFull();
  return new HubSend(new Date(now.getTime() + waitSeconds * 1_000), !online, release);
}

/** Returns the error for a run that no worker accepted. */
export function agentOffline(everConnected: boolean): ParleyError {
  const text = everConnected
    ? 'The agent is offline: no worker is connected. Try again later.'
    : 'The agent has never been online. Its owner needs to start it first.';
  return new ParleyError('agent_offline', text, { retryAfter: OFFLINE_RETRY_AFTER_SECONDS });
}

function queueFull(): ParleyError {
  const text = `${MAX_WAITING_RUNS} tasks are already waiting for this agent. Try again when it is online.`;
  return new ParleyError('unavailable', text, { retryAfter: OFFLINE_RETRY_AFTER_SECONDS });
}

/** A send to an agent that connects to Parley, until its run begins. */
class HubSend implements QueuedSend {
  /** The delivery to a worker of this node; null for a run that waits to be claimed. */
  private delivery: Delivery | null = null;
  private request: JsonObject = {};
  private readonly slots: QueuedSlots;

  constructor(
    private readonly dueAt: Date,
    readonly offline: boolean,
    release: () => void,
  ) {
    this.slots = new QueuedSlots(release);
  }

  /** Returns the run to write, which is offered immediately if a worker of this node is free. */
  prepare({ agent, request }: Pick<SendInput, 'agent' | 'request'>, turn: QueuedTurn): NewHubRun {
    const { principal, taskId, turnSeq, contextId } = turn;
    this.delivery = reserveWorker({ principal, taskId, turnSeq, agentId: agent.id, contextId });
    if (!this.delivery) this.slots.holdFor(taskId);
    this.request = toOfferedRequest(request, turn);
    return {
      agentId: agent.id,
      turnSeq,
      request: this.request,
      dueAt: this.dueAt,
      epoch: this.delivery?.epoch ?? 0,
    };
  }

  get source(): RunSource | undefined {
    const { delivery, request } = this;
    return delivery ? hubRun(delivery, { epoch: delivery.epoch, attempt: 1, seen: 0, request }) : undefined;
  }

  cancel(): void {
    this.delivery?.end('finished');
    this.slots.cancel();
  }
}

/** Returns the request for the worker, with our id of the task and the id of its context for this agent. */
function toOfferedRequest(
  request: SendInput['request'],
  { taskId, ownContextId: contextId, message }: QueuedTurn,
): JsonObject {
  const { acceptedOutputModes } = request.configuration;
  const sent: Message = { ...message, taskId, contextId };
  const envelope = toAgentRequest('1.0', '', {
    op: 'stream',
    message: sent,
    acceptedOutputModes,
    metadata: request.metadata,
  });
  return isObject(envelope.params) ? envelope.params : {};
}

type Release = () => void;

/** The slots of one send, until its run begins here or another node reports progress. */
class QueuedSlots {
  private taskId: string | null = null;
  private endInterest = (): void => undefined;

  constructor(private readonly release: Release) {}

  /** Must be called before the task is created, because its run may begin immediately. */
  holdFor(taskId: string): void {
    this.taskId = taskId;
    const endInterest = keepInterest('task', taskId);
    this.endInterest = endInterest;
    queuedSlots().set(taskId, () => {
      endInterest();
      this.release();
    });
  }

  /** Must be called if the send did not start a run. */
  cancel(): void {
    if (this.taskId === null) return;
    this.endInterest();
    queuedSlots().delete(this.taskId);
  }
}

/** The task slots of sends on this node whose runs no worker of this node has begun. */
const queuedSlots = once((): Map<string, Release> => {
  const slots = new Map<string, Release>();
  // Another node runs or has ended the task.
  subscribe('task', '*', (taskId, from) => {
    if (from === 'elsewhere') releaseSlotsOf(taskId)?.();
  });
  return slots;
});

/** Returns the tasks whose slots this node holds. */
export function queuedTaskIds(): string[] {
  return [...queuedSlots().keys()];
}

/**
 * Returns the function that releases a send's slots, and makes the caller responsible for calling it; undefined if this
 * node holds none.
 */
export function releaseSlotsOf(taskId: string): Release | undefined {
  const slots = queuedSlots();
  const release = slots.get(taskId);
  slots.delete(taskId);
  return release;
}
