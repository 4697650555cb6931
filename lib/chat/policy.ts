import { type AgentRecord, maySeeAgent } from '../catalog';
import type { TokenBucketRule } from '../limits';
import type { Actor, CallerActor, UserActor } from '../platform/context';
import { ParleyError } from '../platform/errors';

/** Searches of one person: as fast as one types, for a while. */
export const SEARCH_LIMIT: TokenBucketRule = {
  name: 'chat-search',
  burst: 60,
  perMinute: 120,
  onDatabaseDown: 'count-here',
};

/** Exports of conversations of one person. */
export const EXPORT_LIMIT: TokenBucketRule = {
  name: 'chat-exports',
  burst: 20,
  perMinute: 20,
  onDatabaseDown: 'count-here',
};

/** Links made by one person. */
export const SHARE_LIMIT: TokenBucketRule = { name: 'chat-shares', burst: 20, perMinute: 5, onDatabaseDown: 'refuse' };

/**
 * The person who chats. Access tokens cannot: what a CLI says goes through the agent's own endpoint.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export function requireSession(actor: Actor): UserActor {
  if (actor.kind !== 'user') throw new ParleyError('unauthenticated', 'Sign in to see your conversations.');
  if (actor.credential.kind === 'session') return actor;
  throw new ParleyError('forbidden', 'This needs a signed-in session; access tokens cannot do it.');
}

/** The person as the gateway knows them: caller of this one agent, by the session that they are signed in with. */
export function callerOf(person: UserActor, agent: Pick<AgentRecord, 'id'>): CallerActor {
  return {
    kind: 'caller',
    principal: person.userId,
    credentialId: person.credential.id,
    agentId: agent.id,
    clientId: 'parley-web',
    scopes: ['agent:call'],
  };
}

/** Why this agent takes no messages of this actor; null when it does. */
export function closedReason(actor: Actor, agent: AgentRecord): string | null {
  if (agent.status === 'withdrawn') return 'This agent was withdrawn by its owner. You can read on, but not write.';
  if (agent.status === 'suspended') return 'Parley has taken this agent down. You can read on, but not write.';
  return maySeeAgent(actor, agent) ? null : 'This agent is no longer open to you. You can read on, but not write.';
}
