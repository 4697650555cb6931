import { type AgentRecord, roleOfPerson } from '../catalog';
import { hasFinishedTask } from '../gateway';
import type { Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { ReviewPermission } from './schema';

/**
 * The signed-in user. Access tokens are rejected, because reviews appear under the user's name.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to write.');
  if (actor.credential.kind === 'session') return actor;
  throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
}

/** Whether the actor may review the agent: they finished a task with it and are not in its team. */
export async function permissionOf(actor: Actor, agent: AgentRecord): Promise<ReviewPermission> {
  if (actor.kind !== 'user') return 'signed-out';
  if (roleOfPerson(actor.userId, agent) !== null) return 'own-agent';
  return (await hasFinishedTask(actor.userId, agent.id)) ? 'yes' : 'not-used';
}
