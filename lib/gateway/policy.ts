import type { AgentRecord } from '../catalog';
import type { ConcurrencyRule, TokenBucketRule } from '../limits';
import type { CallerActor, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { Owner } from './store/find-tasks';
import { callLimitsOf } from './upstream/call-limits';

/** Open streams of one principal, and its tasks that an agent is working on (LIM-9). */
export const streamSlots: ConcurrencyRule = { name: 'streams', max: 20 };
export const activeTaskSlots: ConcurrencyRule = { name: 'live-tasks', max: 100 };

/** Tasks that an agent works on, of all who call it. */
export function agentTaskSlots(agent: AgentRecord): ConcurrencyRule {
  return { name: 'agent-tasks', max: callLimitsOf(agent).maxConcurrent };
}

/** Sends of one principal: a burst, then ten a second. */
export const sendRateLimit: TokenBucketRule = {
  name: 'messages',
  burst: 100,
  perMinute: 600,
  onDatabaseDown: 'count-here',
};

/**
 * The caller, known by a token for exactly this agent.
 * @throws {ParleyError} `unauthenticated`
 */
export function requireCaller(ctx: Ctx, agent: Pick<AgentRecord, 'id'>): CallerActor {
  const { actor } = ctx;
  if (actor.kind === 'caller' && actor.agentId === agent.id && actor.scopes.includes('agent:call')) return actor;
  throw new ParleyError('unauthenticated', 'This needs a token for this agent. Get one by the handshake.');
}

/** Which tasks the caller reaches: their principal's at this agent; of a delegated token only those of its own delegation. */
export function ownerOf({ principal, agentId, delegation }: CallerActor): Owner {
  return { principal, agentId, delegation: delegation ?? null };
}
