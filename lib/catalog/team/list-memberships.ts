import type { Ctx } from '../../platform/context';
import { requireUser } from '../policy';
import { selectMemberships } from '../store/team';

/**
 * The teams of others' agents that the person helps in.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listMemberships({ ctx }: { ctx: Ctx }): ReturnType<typeof selectMemberships> {
  return selectMemberships(requireUser(ctx.actor, 'agents:read').userId);
}
