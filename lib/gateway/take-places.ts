import type { AgentRecord } from '../catalog';
import { takePlace } from '../limits';
import type { CallerActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { agentPlaces, liveTaskPlaces } from './policy';

type Release = () => void;
type Taken = ReturnType<typeof takePlace>;

/**
 * Takes one of the caller's places for tasks at work, and one of the agent's; answers the way to give both back. A promise
 * only when this node has to ask for one.
 * @throws {ParleyError} `too_many_tasks`, `unavailable` when the agent has enough to do (in either way)
 */
export function takePlaces({ principal }: CallerActor, agent: AgentRecord): Release | Promise<Release> {
  const own = takePlace(liveTaskPlaces, principal);
  const agents = takePlace(agentPlaces(agent), agent.id);
  if (own instanceof Promise || agents instanceof Promise) return both(own, agents, agent);
  return joined(own, agents, agent);
}

async function both(own: Taken, agents: Taken, agent: AgentRecord): Promise<Release> {
  const [first, second] = await Promise.allSettled([own, agents]);
  if (first.status === 'fulfilled' && second.status === 'fulfilled') return joined(first.value, second.value, agent);
  if (first.status === 'fulfilled') first.value?.();
  if (second.status === 'fulfilled') second.value?.();
  throw first.status === 'rejected' ? first.reason : (second as PromiseRejectedResult).reason;
}

function joined(own: Release | null, agents: Release | null, agent: AgentRecord): Release {
  if (own && agents) {
    return () => {
      own();
      agents();
    };
  }
  own?.();
  agents?.();
  throw own ? agentIsBusy(agent) : tooManyTasks();
}

function tooManyTasks(): ParleyError {
  const { name, most } = liveTaskPlaces;
  const text = `${most} of your tasks are being worked on. Wait for one to end.`;
  const limit = { name, quota: most, unit: 'concurrent-requests' as const };
  return new ParleyError('too_many_tasks', text, { retryAfter: 5, limit });
}

function agentIsBusy(agent: AgentRecord): ParleyError {
  const { most } = agentPlaces(agent);
  const text = `The agent works on at most ${most} tasks at once. Try again when one has ended.`;
  return new ParleyError('unavailable', text, { retryAfter: 5 });
}
