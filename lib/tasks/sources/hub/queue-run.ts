import type { AgentRecord } from '../../../catalog';
import { findPresence } from '../../../hub';
import { ParleyError } from '../../../platform/errors';
import { DEFAULT_QUEUE_SECONDS, MAX_WAITING_RUNS, OFFLINE_RETRY_AFTER_SECONDS } from '../../limits';
import { countWaitingRuns } from '../../store/hub-runs';
import { queueSecondsOf } from './queue-seconds';
import { QueuedSend } from './queued-send';

/**
 * Decides whether a send may wait for a worker.
 * @throws {ParleyError} `agent_offline` if no worker is connected and the agent has no queue, or no worker ever
 * connected; `unavailable` when too many runs wait
 */
export async function admitToQueue(agent: AgentRecord, release: () => void, now: Date): Promise<QueuedSend> {
  const { online, everConnected } = await findPresence(agent.id);
  const queueSeconds = queueSecondsOf(agent);
  if (!online && (!everConnected || queueSeconds === 0)) throw agentOffline(everConnected);
  // If a worker is connected, runs wait at least the default time for it to become free.
  const waitSeconds = online ? Math.max(queueSeconds, DEFAULT_QUEUE_SECONDS) : queueSeconds;
  if (!online && (await countWaitingRuns(agent.id)) >= MAX_WAITING_RUNS) throw queueFull();
  return new QueuedSend(new Date(now.getTime() + waitSeconds * 1_000), !online, release);
}

/** The error of a run that no worker accepted. */
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
