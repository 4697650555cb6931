import { hasScope } from '../identity';
import type { Actor, UserActor } from '../platform/context';
import type { ParleyError } from '../platform/errors';
import { agentGone, agentNotFound, agentRemoved, insufficientRole } from './errors';
import type { AgentRecord } from './record';
import { isCallable, type TeamRole, teamRoles } from './schema';

type Listing = Pick<AgentRecord, 'visibility' | 'status'>;
type Team = Pick<AgentRecord, 'ownerId' | 'team'>;
type AgentAccess = Listing & Team & Pick<AgentRecord, 'everPublic'>;

/** Returns true for agents that anyone who knows the slug may see. */
export function isOpen(agent: Listing): boolean {
  return agent.visibility !== 'private' && isCallable(agent.status);
}

/** Returns true for open agents whose owner permits visitors without an account. */
export function isOpenToGuests(agent: Listing & Pick<AgentRecord, 'callLimits'>): boolean {
  return isOpen(agent) && (agent.callLimits.guestTurnsPerDay ?? 0) > 0;
}

/** Returns true for agents that lists and search results may contain. */
export function isListed(agent: Listing): boolean {
  return isOpen(agent) && agent.visibility === 'public';
}

/**
 * Returns true for open agents, and for the team of a private or suspended agent. A withdrawn agent is not visible to
 * anyone.
 */
export function maySeeAgent(actor: Actor, agent: Listing & Team): boolean {
  if (agent.status === 'withdrawn') return false;
  return isOpen(agent) || roleOf(actor, agent) !== null;
}

/** Returns the actor's role in the agent's team, or null. */
export function roleOf(actor: Actor, agent: Team): TeamRole | null {
  const id = userIdOf(actor);
  return id === null ? null : roleOfPerson(id, agent);
}

/** Returns a user's role in the agent's team, or null. Takes a user id, so it finds no role for an app. */
export function roleOfPerson(id: string, agent: Team): TeamRole | null {
  return id === agent.ownerId ? 'owner' : (agent.team[id] ?? null);
}

/** Returns true if the actor's role in the agent's team is at least `minRole`. */
export function hasRole(actor: Actor, agent: Team, minRole: TeamRole): boolean {
  const role = roleOf(actor, agent);
  return role !== null && teamRoles.indexOf(role) >= teamRoles.indexOf(minRole);
}

function userIdOf(actor: Actor): string | null {
  if (actor.kind === 'user') return actor.userId;
  return actor.kind === 'caller' ? actor.principal : null;
}

/**
 * Returns the agent if the actor may see it.
 * @throws {ParleyError} `gone` if it was public and is withdrawn or suspended, otherwise `not_found`
 */
export function requireVisible<Agent extends AgentAccess>(actor: Actor, agent: Agent | null): Agent {
  if (agent && maySeeAgent(actor, agent)) return agent;
  throw agent?.everPublic ? goneOrNotFound(agent.status) : agentNotFound();
}

function goneOrNotFound(status: AgentRecord['status']): ParleyError {
  if (status === 'withdrawn') return agentGone();
  return status === 'suspended' ? agentRemoved() : agentNotFound();
}

/**
 * Returns the agent if the user's role in its team is at least `minRole` and it is not withdrawn.
 * @throws {ParleyError} `gone`; `not_found` for unknown agents and users outside of the team; `forbidden` for a lower
 *   role
 */
export function requireRole<Agent extends AgentAccess>(user: UserActor, agent: Agent | null, minRole: TeamRole): Agent {
  const visible = requireVisible(user, agent);
  assertRole(user, visible, minRole);
  return visible;
}

/**
 * Like {@link requireRole}, for operations that are possible on a withdrawn agent.
 * @throws {ParleyError} `not_found`, `forbidden`
 */
export function requireMember<Agent extends Team>(user: UserActor, agent: Agent | null, minRole: TeamRole): Agent {
  if (!agent) throw agentNotFound();
  assertRole(user, agent, minRole);
  return agent;
}

function assertRole(user: UserActor, agent: Team, minRole: TeamRole): void {
  if (hasRole(user, agent, minRole)) return;
  const role = roleOf(user, agent);
  throw role === null ? agentNotFound() : insufficientRole(role, minRole);
}

/** Returns true if the actor is in the agent's team and their credential has the scope `agents:read`. */
export function mayReadSettings(actor: Actor, agent: Team): boolean {
  return actor.kind === 'user' && hasScope(actor, 'agents:read') && roleOf(actor, agent) !== null;
}
