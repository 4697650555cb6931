import { type AgentRecord, findAgent, findAgentById } from '../catalog';
import { isCallable } from '../catalog/schema';
import { authorize } from '../identity';
import { grantRemoved, grantSet } from '../observability';
import { createCache } from '../platform/cache';
import type { Ctx } from '../platform/context';
import type { AgentScope, GrantableScope } from '../platform/scopes';
import { mayCall } from './authorization';
import { findDelegation } from './delegation';
import { notFound } from './errors';
import { GRANT_CACHE_SIZE } from './limits';
import { recordLastUsed } from './record-last-used';
import type { AgentGrantView, SetGrant } from './schema';
import { endDelegations } from './store/delegations';
import {
  type AgentGrantRecord,
  deleteGrant,
  findGrant,
  grantKey,
  listGrantsOf,
  saveGrant,
  streamGrantsOf,
  touchGrant,
} from './store/grants';

const grants = createCache<GrantableScope[]>({
  name: 'agent-grants',
  topic: 'grant',
  max: GRANT_CACHE_SIZE,
  load: findGrant,
});

/**
 * The scopes that a token for this agent has now: `agent:call` and what its user granted; for a delegation at most what
 * was delegated. Apps grant nothing. Cached; notifications invalidate the entry.
 */
export async function findScopes({
  principal,
  credentialId,
  agent,
}: {
  principal: string;
  credentialId: string;
  agent: Pick<AgentRecord, 'id'>;
}): Promise<AgentScope[]> {
  const granted = principal.startsWith('usr_') ? await grants.get(grantKey(principal, agent.id)) : [];
  const scopes: AgentScope[] = ['agent:call', ...granted];
  const delegation = credentialId.startsWith('dlg_') ? await findDelegation(credentialId) : null;
  return delegation ? scopes.filter((scope) => delegation.scopes.includes(scope)) : scopes;
}

/** Records in the background that the user used this agent, for the list of grants. */
export function recordAgentUse(
  { principal, agent }: { principal: string; agent: Pick<AgentRecord, 'id'> },
  now: Date,
): void {
  if (principal.startsWith('usr_')) recordLastUsed(grantKey(principal, agent.id), now, touchGrant);
}

/** The agents that the user has used or granted a scope: the 200 most recently used. */
export async function listGrants({ ctx }: { ctx: Ctx }): Promise<AgentGrantView[]> {
  const { userId } = authorize(ctx.actor, 'session');
  return (await Promise.all((await listGrantsOf(userId)).map(viewsOf))).flat();
}

/** Every agent that the user has used or granted a scope. */
export async function* streamGrants({ ctx }: { ctx: Ctx }): AsyncGenerator<AgentGrantView> {
  const { userId } = authorize(ctx.actor, 'session');
  for await (const grant of streamGrantsOf(userId)) yield* await viewsOf(grant);
}

async function viewsOf(grant: AgentGrantRecord): Promise<AgentGrantView[]> {
  const agent = await findAgentById(grant.agentId);
  return agent ? [toGrantView(grant, agent)] : [];
}

function toGrantView(grant: AgentGrantRecord, agent: AgentRecord): AgentGrantView {
  return {
    agent: { slug: agent.slug, name: agent.name, open: isCallable(agent.status) },
    scopes: grant.scopes,
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * Sets the scopes that the user grants an agent beyond `agent:call`. Scopes not listed are revoked: on this node
 * immediately, on other nodes within a second.
 * @throws {ParleyError} `not_found` for agents that are unknown, private to others, suspended or withdrawn
 */
export async function setGrant({ ctx, input }: { ctx: Ctx; input: SetGrant & { slug: string } }): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const agent = await findAgent(input.slug);
  if (!agent || !mayCall(userId, agent)) throw notFound('agent');
  const grant = { userId, agentId: agent.id, scopes: [...new Set(input.scopes)], now: ctx.now };
  await saveGrant(grant, grantSet(ctx, grant));
  if (!grant.scopes.includes('delegate')) await endDelegations(grant);
}

/**
 * Revokes all scopes that the user granted an agent and deletes the record of its use. Also works for agents that the
 * user can no longer call.
 * @throws {ParleyError} `not_found`
 */
export async function removeGrant({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const agent = await findAgent(input.slug);
  if (!agent) throw notFound('agent');
  const grant = { userId, agentId: agent.id };
  if (!(await deleteGrant(grant, grantRemoved(ctx, grant)))) throw notFound('agent');
  await endDelegations({ ...grant, now: ctx.now });
}
