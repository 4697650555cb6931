import type { AgentRecord } from '../../catalog';
import { acquireSlot } from '../../limits';
import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { SLOT_RETRY_AFTER_SECONDS } from '../limits';
import { activeTaskSlots, agentTaskSlots } from '../rate-limits';

type Release = () => void;
type PendingSlot = ReturnType<typeof acquireSlot>;

/**
 * Acquires one of the caller's task slots and one of the agent's; returns a function that releases both. Returns a
 * promise only if another node must be queried.
 * @throws {ParleyError} (synchronously or by rejection) `too_many_tasks`; `unavailable` if the agent is at its limit
 */
export function acquireTaskSlots({ principal }: CallerActor, agent: AgentRecord): Release | Promise<Release> {
  const callerSlot = acquireSlot(activeTaskSlots, principal);
  const agentSlot = acquireSlot(agentTaskSlots(agent), agent.id);
  if (callerSlot instanceof Promise || agentSlot instanceof Promise) return awaitBoth(callerSlot, agentSlot, agent);
  return combine(callerSlot, agentSlot, agent);
}

async function awaitBoth(callerSlot: PendingSlot, agentSlot: PendingSlot, agent: AgentRecord): Promise<Release> {
  const [first, second] = await Promise.allSettled([callerSlot, agentSlot]);
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return combine(first.value, second.value, agent);
  if (first.status === 'fulfilled') first.value?.();
  if (second.status === 'fulfilled') second.value?.();
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason;
}

function combine(callerSlot: Release | null, agentSlot: Release | null, agent: AgentRecord): Release {
  if (callerSlot && agentSlot) {
    return () => {
      callerSlot();
      agentSlot();
    };
  }
  callerSlot?.();
  agentSlot?.();
  throw callerSlot ? agentBusy(agent) : tooManyTasks();
}

function tooManyTasks(): ParleyError {
  const { name, max } = activeTaskSlots;
  const text = `${max} of your tasks are running, which is the limit. Wait for one to end.`;
  const limit = { name, quota: max, unit: 'concurrent-requests' as const };
  return new ParleyError('too_many_tasks', text, { retryAfter: SLOT_RETRY_AFTER_SECONDS, limit });
}

function agentBusy(agent: AgentRecord): ParleyError {
  const { max } = agentTaskSlots(agent);
  const text = `The agent is running ${max} tasks, which is its limit. Try again when one has ended.`;
  return new ParleyError('unavailable', text, { retryAfter: SLOT_RETRY_AFTER_SECONDS });
}
