import type { AgentRecord } from '../../catalog';
import { findPresence } from '../../hub';
import { ParleyError } from '../../platform/errors';
import type { Message } from '../../protocol/a2a/core/model';
import { toAgentRequest } from '../../protocol/a2a/dialects';
import { isObject, type JsonObject } from '../../protocol/json';
import { DEFAULT_QUEUE_SECONDS, MAX_WAITING_RUNS, OFFLINE_RETRY_AFTER_SECONDS } from '../limits';
import type { SendInput } from '../runs/turn';
import { countWaitingRuns, type NewHubRun } from '../store/hub-runs';
import { QueuedSlots } from './queued-slots';

/** How a send to an agent that connects to Parley is queued. */
export interface QueuedSend {
  dueAt: Date;
  /** No worker is connected: the task's status says that it waits. */
  offline: boolean;
  slots: QueuedSlots;
}

/**
 * Decides whether a send may wait for a worker.
 * @throws {ParleyError} `agent_offline` when no worker is connected and the agent does not queue, or never connected;
 *   `unavailable` when too many runs wait
 */
export async function admitToQueue(agent: AgentRecord, release: () => void, now: Date): Promise<QueuedSend> {
  const { online, everConnected } = await findPresence(agent.id);
  const queueSeconds = queueSecondsOf(agent);
  if (!online && (!everConnected || queueSeconds === 0)) throw agentOffline(everConnected);
  // A worker that is connected gets at least the default time to become free.
  const waitSeconds = online ? Math.max(queueSeconds, DEFAULT_QUEUE_SECONDS) : queueSeconds;
  if (!online && (await countWaitingRuns(agent.id)) >= MAX_WAITING_RUNS) throw queueFull();
  return { dueAt: new Date(now.getTime() + waitSeconds * 1_000), offline: !online, slots: new QueuedSlots(release) };
}

/** How long runs of the agent wait for a worker, seconds. */
export function queueSecondsOf({ callLimits }: Pick<AgentRecord, 'callLimits'>): number {
  return callLimits.queueSeconds ?? DEFAULT_QUEUE_SECONDS;
}

/** No worker accepted the run. */
export function agentOffline(everConnected: boolean): ParleyError {
  const text = everConnected
    ? 'The agent is offline: none of its workers is connected. Try again later.'
    : 'The agent has never been online. Its owner has to start it first.';
  return new ParleyError('agent_offline', text, { retryAfter: OFFLINE_RETRY_AFTER_SECONDS });
}

function queueFull(): ParleyError {
  const text = `${MAX_WAITING_RUNS} tasks wait for this agent already. Try again when it is online.`;
  return new ParleyError('unavailable', text, { retryAfter: OFFLINE_RETRY_AFTER_SECONDS });
}

/** A turn of a task, and our id of its context for the agent. */
interface HubTurn {
  taskId: string;
  ownContextId: string;
  message: Message;
  turnSeq: number;
  dueAt: Date;
}

/** The run of a send. The worker sees our id of the task, and of its context the one for this agent. */
export function hubRunOf(
  { agent, request }: Pick<SendInput, 'agent' | 'request'>,
  { taskId, ownContextId: contextId, message, turnSeq, dueAt }: HubTurn,
): NewHubRun {
  const { acceptedOutputModes } = request.configuration;
  const sent: Message = { ...message, taskId, contextId };
  const envelope = toAgentRequest('1.0', '', {
    op: 'stream',
    message: sent,
    acceptedOutputModes,
    metadata: request.metadata,
  });
  const params: JsonObject = isObject(envelope.params) ? envelope.params : {};
  return { agentId: agent.id, turnSeq, request: params, dueAt };
}
