import { type AgentRecord, findAgent, requireMember } from '../catalog';
import type { TeamRole } from '../catalog/schema';
import type { AccessScope, Ctx, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';

/**
 * The agent, if the user has at least the role `minRole` in its team. Withdrawn agents are included.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `forbidden`, `not_found` also for other users' agents
 */
export async function authorizeAgentAccess(
  ctx: Ctx,
  slug: string,
  { minRole, scope }: { minRole: TeamRole; scope: AccessScope },
): Promise<{ agent: AgentRecord; user: UserActor }> {
  const user = requireUser(ctx, scope);
  return { agent: requireMember(user, await findAgent(slug), minRole), user };
}

function requireUser({ actor }: Ctx, scope: AccessScope): UserActor {
  if (actor.kind !== 'user') {
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  }
  if (actor.credential.kind === 'session' || actor.credential.scopes.includes(scope)) return actor;
  throw new ParleyError('insufficient_scope', `The access token lacks the scope "${scope}".`, { data: { scope } });
}
