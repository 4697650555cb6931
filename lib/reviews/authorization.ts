import { type AgentRecord, roleOfPerson } from '../catalog';
import type { Actor } from '../platform/context';
import { hasFinishedTask } from '../tasks';
import type { ReviewPermission } from './schema';

/**
 * The permission of the actor to review the agent: they must have finished a task with it and must not be in its team.
 */
export async function permissionOf(actor: Actor, agent: AgentRecord): Promise<ReviewPermission> {
  if (actor.kind !== 'user') return 'signed-out';
  if (roleOfPerson(actor.userId, agent) !== null) return 'own-agent';
  return (await hasFinishedTask(actor.userId, agent.id)) ? 'yes' : 'not-used';
}
