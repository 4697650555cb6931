import type { AccessScope, Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { CardVersion } from './card-version';
import { agentGone, agentNotFound, agentRemoved, insufficientRole } from './errors';
import type { AgentRecord } from './record';
import { type CardChange, type TeamRole, teamRoles } from './schema';

type Listing = Pick<AgentRecord, 'visibility' | 'status'>;
type Team = Pick<AgentRecord, 'ownerId' | 'team'>;
type AgentAccess = Listing & Team & Pick<AgentRecord, 'everPublic'>;

/** True for agents whose page and cards are open to everyone who knows the slug. */
export function isOpen(agent: Listing): boolean {
  return agent.visibility !== 'private' && (agent.status === 'active' || agent.status === 'deprecated');
}

/** True for agents that lists and search show. */
export function isListed(agent: Listing): boolean {
  return isOpen(agent) && agent.visibility === 'public';
}

/** Who may see an agent: everyone an open one, its team also a private or suspended one, nobody a withdrawn one. */
export function maySeeAgent(actor: Actor, agent: Listing & Team): boolean {
  if (agent.status === 'withdrawn') return false;
  return isOpen(agent) || roleOf(actor, agent) !== null;
}

/** In which role somebody manages an agent; null for everybody outside of its team. */
export function roleOf(actor: Actor, agent: Team): TeamRole | null {
  const person = personOf(actor);
  return person === null ? null : roleOfPerson(person, agent);
}

/** {@link roleOf} for a person, or an app (which has none), by id. */
export function roleOfPerson(id: string, agent: Team): TeamRole | null {
  return id === agent.ownerId ? 'owner' : (agent.team[id] ?? null);
}

/** True when somebody's role in the agent's team is `least` or a higher one. */
export function hasRole(actor: Actor, agent: Team, minRole: TeamRole): boolean {
  const role = roleOf(actor, agent);
  return role !== null && teamRoles.indexOf(role) >= teamRoles.indexOf(minRole);
}

function personOf(actor: Actor): string | null {
  if (actor.kind === 'user') return actor.userId;
  return actor.kind === 'caller' ? actor.principal : null;
}

/**
 * The agent, when this actor may see it.
 * @throws {ParleyError} `gone` when it was public once and is withdrawn or suspended, else `not_found`
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
 * The agent, when this person is in its team in the role `least` or a higher one and it is not withdrawn; a foreign one is
 * answered like an unknown one.
 * @throws {ParleyError} `gone`, `not_found`; `forbidden` for a role that does not reach so far
 */
export function requireRole<Agent extends AgentAccess>(user: UserActor, agent: Agent | null, minRole: TeamRole): Agent {
  const visible = requireVisible(user, agent);
  assertRole(user, visible, minRole);
  return visible;
}

/**
 * {@link requireRole} for what can also be done to a withdrawn agent.
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

/**
 * The person who acts, when their credential reaches that far: a session always does, an access token needs the scope.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requireUser(actor: Actor, scope: AccessScope): UserActor {
  if (actor.kind !== 'user') {
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  }
  if (hasScope(actor, scope)) return actor;
  throw new ParleyError('insufficient_scope', `The access token lacks the scope "${scope}".`, { data: { scope } });
}

function hasScope({ credential }: UserActor, scope: AccessScope): boolean {
  return credential.kind === 'session' || credential.scopes.includes(scope);
}

/** True when somebody may read what is set for an agent: its team, and of access tokens those that reach that far. */
export function mayReadSettings(actor: Actor, agent: Team): boolean {
  return actor.kind === 'user' && hasScope(actor, 'agents:read') && roleOf(actor, agent) !== null;
}

/** Why a newer card needs its owner's word: calls could go to hosts it did not name before, or another key signs it. */
export function changesOf(
  listed: Pick<AgentRecord, 'card' | 'signature'>,
  newer: Pick<CardVersion, 'card' | 'signature'>,
): CardChange[] {
  const changes: CardChange[] = [];
  const [expected, found] = [hostsOf(listed.card), hostsOf(newer.card)];
  if (found.some((host) => !expected.includes(host))) changes.push({ what: 'host', found, expected });
  const key = listed.signature.state === 'verified' ? listed.signature.keyThumbprint : null;
  const newerKey = newer.signature.state === 'verified' ? newer.signature.keyThumbprint : null;
  if (key !== null && newerKey !== key) changes.push({ what: 'key', found: newer.signature });
  return changes;
}

function hostsOf(card: AgentRecord['card']): string[] {
  return [...new Set(card.interfaces.map(({ url }) => (URL.canParse(url) ? new URL(url).host : url)))].sort();
}
