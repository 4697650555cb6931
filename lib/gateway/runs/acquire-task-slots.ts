import type { AgentRecord } from '../../catalog';
import { acquireSlot } from '../../limits';
import type { CallerActor } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { activeTaskSlots, agentTaskSlots } from '../policy';

type Release = () => void;
type PendingSlot = ReturnType<typeof acquireSlot>;

/**
 * Takes one of the caller's places for tasks at work, and one of the agent's; answers the way to give both back. A promise
 * only when this node has to ask for one.
 * @throws {ParleyError} `too_many_tasks`, `unavailable` when the agent has enough to do (in either way)
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
  const { name, max: most } = activeTaskSlots;
  const text = `${most} of your tasks are being worked on. Wait for one to end.`;
  const limit = { name, quota: most, unit: 'concurrent-requests' as const };
  return new ParleyError('too_many_tasks', text, { retryAfter: 5, limit });
}

function agentBusy(agent: AgentRecord): ParleyError {
  const { max: most } = agentTaskSlots(agent);
  const text = `The agent works on at most ${most} tasks at once. Try again when one has ended.`;
  return new ParleyError('unavailable', text, { retryAfter: 5 });
}
