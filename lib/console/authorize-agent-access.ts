import { type AgentRecord, findAgent, requireMember } from '../catalog';
import type { TeamRole } from '../catalog/schema';
import { authorize } from '../identity';
import type { Ctx, UserActor } from '../platform/context';
import type { AccessScope } from '../platform/scopes';

/**
 * The agent, if the user has at least the role `minRole` in its team. Withdrawn agents are included.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `forbidden`, `not_found` also for other users' agents
 */
export async function authorizeAgentAccess(
  ctx: Ctx,
  slug: string,
  { minRole, scope }: { minRole: TeamRole; scope: AccessScope },
): Promise<{ agent: AgentRecord; user: UserActor }> {
  const user = authorize(ctx.actor, { scope });
  return { agent: requireMember(user, await findAgent(slug), minRole), user };
}
