import type { AccessScope, Actor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';
import type { CardVersion } from './card-version';
import { agentGone, agentNotFound } from './errors';
import type { AgentRecord } from './record';
import type { CardChange } from './schema';

type Standing = Pick<AgentRecord, 'ownerId' | 'visibility' | 'status' | 'everPublic'>;

/** True for agents whose page and cards are open to everyone who knows the slug. */
export function isOpen(agent: Standing): boolean {
  return agent.visibility !== 'private' && (agent.status === 'active' || agent.status === 'deprecated');
}

/** True for agents that lists and search show. */
export function isListed(agent: Standing): boolean {
  return isOpen(agent) && agent.visibility === 'public';
}

/** Who may see an agent: everyone an open one, its owner also a private or suspended one, nobody a withdrawn one. */
export function maySeeAgent(actor: Actor, agent: Standing): boolean {
  if (agent.status === 'withdrawn') return false;
  return isOpen(agent) || isOwner(actor, agent);
}

/** True for the person who listed the agent. */
export function isOwner(actor: Actor, agent: Pick<Standing, 'ownerId'>): boolean {
  return agent.ownerId === personOf(actor);
}

function personOf(actor: Actor): string | null {
  if (actor.kind === 'user') return actor.userId;
  return actor.kind === 'caller' ? actor.principal : null;
}

/**
 * The agent, when this actor may see it.
 * @throws {ParleyError} `gone` when it was public once and is withdrawn, else `not_found`
 */
export function requireVisible<Agent extends Standing>(actor: Actor, agent: Agent | null): Agent {
  if (agent && maySeeAgent(actor, agent)) return agent;
  throw agent?.status === 'withdrawn' && agent.everPublic ? agentGone() : agentNotFound();
}

/**
 * The agent, when it is this person's own and not withdrawn; a foreign one is answered like an unknown one.
 * @throws {ParleyError} `gone`, `not_found`
 */
export function requireOwned<Agent extends Standing>(user: UserActor, agent: Agent | null): Agent {
  const visible = requireVisible(user, agent);
  if (visible.ownerId !== user.userId) throw agentNotFound();
  return visible;
}

/**
 * The person who acts, when their credential reaches that far: a session always does, an access token needs the scope.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export function requirePerson(actor: Actor, scope: AccessScope): UserActor {
  if (actor.kind !== 'user') {
    throw new ParleyError('unauthenticated', 'Sign in, or send a personal access token as bearer.');
  }
  if (actor.credential.kind === 'session' || actor.credential.scopes.includes(scope)) return actor;
  throw new ParleyError('insufficient_scope', `The access token lacks the scope "${scope}".`, { data: { scope } });
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
