import { type AgentRecord, roleOfPerson } from '../catalog';
import { hasFinishedTask } from '../gateway';
import type { TokenBucketRule } from '../limits';
import type { Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { ReviewPermission } from './schema';

/** Reviews and replies that a person writes, changes and deletes. */
export const REVIEW_LIMIT: TokenBucketRule = { name: 'reviews', burst: 20, perMinute: 5, onDatabaseDown: 'refuse' };

/**
 * The person in their own browser: what they write stands under their name.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to write.');
  if (actor.credential.kind === 'session') return actor;
  throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
}

/** Whether somebody may review: who has finished a task with the agent and has no part in running it. */
export async function permissionOf(actor: Actor, agent: AgentRecord): Promise<ReviewPermission> {
  if (actor.kind !== 'user') return 'signed-out';
  if (roleOfPerson(actor.userId, agent) !== null) return 'own-agent';
  return (await hasFinishedTask(actor.userId, agent.id)) ? 'yes' : 'not-used';
}
