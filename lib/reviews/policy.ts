import { type AgentRecord, roleOfPerson } from '../catalog';
import { hasFinishedTask } from '../gateway';
import { requireSessionUser } from '../identity';
import type { Actor, UserActor } from '../platform/context';
import type { ReviewPermission } from './schema';

/**
 * The signed-in user. Access tokens are rejected, because reviews appear under the user's name.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession(actor: Actor): UserActor {
  return requireSessionUser(actor, 'Sign in to write.');
}

/** Whether the actor may review the agent: they finished a task with it and are not in its team. */
export async function permissionOf(actor: Actor, agent: AgentRecord): Promise<ReviewPermission> {
  if (actor.kind !== 'user') return 'signed-out';
  if (roleOfPerson(actor.userId, agent) !== null) return 'own-agent';
  return (await hasFinishedTask(actor.userId, agent.id)) ? 'yes' : 'not-used';
}
