import type { AgentRecord } from '../catalog';
import type { CallerActor, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';

/** Open streams of one principal, and its tasks that an agent is working on (LIM-9). */
export const MAX_STREAMS = 20;
export const MAX_LIVE_TASKS = 100;

/** Sends of one principal: a burst, then ten a second. */
export const sendRule = { name: 'messages', burst: 100, perMinute: 600 };

/**
 * The caller, known by a token for exactly this agent.
 * @throws {ParleyError} `unauthenticated`
 */
export function requireCaller(ctx: Ctx, agent: Pick<AgentRecord, 'id'>): CallerActor {
  const { actor } = ctx;
  if (actor.kind === 'caller' && actor.agentId === agent.id && actor.scopes.includes('agent:call')) return actor;
  throw new ParleyError('unauthenticated', 'This needs a token for this agent. Get one by the handshake.');
}
