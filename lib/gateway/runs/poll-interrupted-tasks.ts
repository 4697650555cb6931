import { findAgentById } from '../../catalog';
import { newId } from '../../platform/ids';
import { errorFields, log } from '../../platform/log';
import { claimDuePolls, type PollingPolicy } from '../store/interrupted-tasks';
import { refreshInterruptedTask } from './refresh-interrupted-task';

const pollingPolicy: PollingPolicy = {
  minIntervalSeconds: 2,
  maxAuthIntervalSeconds: 60,
  maxInputIntervalSeconds: 600,
  maxAgeSeconds: 86_400,
  limit: 100,
};
/** How long an agent may take to answer, milliseconds. */
const agentTimeoutMs = 10_000;

/**
 * Asks agents for tasks that wait for their caller: an agent may go on by itself, after a sign-in elsewhere (A2A 1.0 §7.6) or for
 * reasons of its own, and nobody sends anything then. Asked at growing intervals for a day, by one node each time. An agent
 * that does not answer is asked again in a later round.
 */
export async function pollInterruptedTasks({ now, signal }: { now: Date; signal: AbortSignal }): Promise<void> {
  const due = await claimDuePolls(pollingPolicy, now);
  await Promise.all(
    due.map(async (record) => {
      try {
        const agent = await findAgentById(record.agentId);
        if (!agent) return;
        const bounded = AbortSignal.any([signal, AbortSignal.timeout(agentTimeoutMs)]);
        await refreshInterruptedTask({ record, agent, requestId: newId('req'), signal: bounded });
      } catch (error) {
        if (!signal.aborted) log.info('waiting_task.not_polled', { taskId: record.id, ...errorFields(error) });
      }
    }),
  );
}
