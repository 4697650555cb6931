import { type AgentRecord, findAgent, findAgentById, iconUrlOf } from '../../catalog';
import { isCallable } from '../../catalog/schema';
import { authorize } from '../../identity';
import { grantRemoved, grantSet } from '../../observability';
import { createCache } from '../../platform/cache';
import type { Call, Ctx } from '../../platform/context';
import type { AgentScope } from '../../platform/scopes';
import { sha256 } from '../../platform/secrets/crypto';
import { mayCall } from '../authorization';
import { notFound } from '../errors';
import { DELEGATION_CACHE_SIZE, GRANT_CACHE_SIZE } from '../limits';
import type { AgentGrantView, HiringSetting, SetGrant } from '../schema';
import {
  type AgentGrantRecord,
  type DelegationRecord,
  deleteGrant,
  endDelegations,
  findGrant,
  type GrantSettings,
  grantKey,
  listGrantsOf,
  saveGrant,
  selectDelegation,
  streamGrantsOf,
  touchGrant,
} from '../store/grant-rows';
import { recordLastUsed } from '../store/last-used';

const grants = createCache<GrantSettings>({ topic: 'grant', max: GRANT_CACHE_SIZE, load: findGrant });

/**
 * Returns the scopes that a token for this agent has now: `agent:call` and the scopes that its user granted; for a
 * delegation, at most the delegated scopes. Apps cannot grant scopes. Cached; notifications invalidate the entry.
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
  const granted = principal.startsWith('usr_') ? (await grants.get(grantKey(principal, agent.id))).scopes : [];
  const scopes: AgentScope[] = ['agent:call', ...granted];
  const delegation = credentialId.startsWith('dlg_') ? await findDelegation(credentialId) : null;
  return delegation ? scopes.filter((scope) => delegation.scopes.includes(scope)) : scopes;
}

/** Lists the agents that a user used most recently, newest first. */
export async function listRecentAgents(userId: string): Promise<string[]> {
  return (await listGrantsOf(userId)).map(({ agentId }) => agentId);
}

/**
 * Returns the permission of an agent to call others on behalf of the user whose call has this credential: `yes` with
 * the scope `delegate`, otherwise `ask`, unless the user or the calling agent excluded it. No agent may act for an app.
 */
export async function hiringSetting({
  principal,
  credentialId,
  agentId,
}: {
  principal: string;
  credentialId: string;
  agentId: string;
}): Promise<HiringSetting> {
  if (!principal.startsWith('usr_')) return 'never';
  const delegation = credentialId.startsWith('dlg_') ? await findDelegation(credentialId) : null;
  if (delegation && !delegation.scopes.includes('delegate')) return 'never';
  return settingOf(await grants.get(grantKey(principal, agentId)));
}

function settingOf({ scopes, neverHires }: GrantSettings): HiringSetting {
  if (neverHires) return 'never';
  return scopes.includes('delegate') ? 'yes' : 'ask';
}

/** Records in the background that the user used this agent, for the list of grants. */
export function recordAgentUse(
  { principal, agent }: { principal: string; agent: Pick<AgentRecord, 'id'> },
  now: Date,
): void {
  if (principal.startsWith('usr_')) recordLastUsed(grantKey(principal, agent.id), now, touchGrant);
}

/** Lists the agents that the user has used or granted a scope: the 200 most recently used. */
export async function listGrants({ ctx }: { ctx: Ctx }): Promise<AgentGrantView[]> {
  const { userId } = authorize(ctx.actor, 'session');
  return (await Promise.all((await listGrantsOf(userId)).map(viewsOf))).flat();
}

/** Streams every agent that the user has used or granted a scope. */
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
    agent: { slug: agent.slug, name: agent.name, iconUrl: iconUrlOf(agent), open: isCallable(agent.status) },
    scopes: grant.scopes,
    hire: settingOf(grant),
    createdAt: grant.createdAt.toISOString(),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
  };
}

/**
 * Sets the scopes that the user grants an agent in addition to `agent:call`. Scopes that are not listed are revoked, on
 * this node immediately and on other nodes within a second. `hire`, if present, determines `delegate`.
 * @throws {ParleyError} `not_found` for agents that are unknown, private to others, suspended or withdrawn
 */
export async function setGrant({ ctx, input }: Call<SetGrant & { slug: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const agent = await findAgent(input.slug);
  if (!agent || !mayCall(userId, agent)) throw notFound('agent');
  await save(ctx, { userId, agentId: agent.id, ...toSettings(input) });
}

/** Permits an agent to hire others for the user without asking. Its other scopes are unchanged. */
export async function alwaysLetHire(ctx: Ctx, { userId, agentId }: { userId: string; agentId: string }): Promise<void> {
  const { scopes } = await findGrant(grantKey(userId, agentId));
  await save(ctx, { userId, agentId, scopes: [...new Set([...scopes, 'delegate' as const])], neverHires: false });
}

function toSettings({ scopes, hire }: SetGrant): GrantSettings {
  const others = scopes.filter((scope) => scope !== 'delegate');
  const mayHire = hire === undefined ? scopes.includes('delegate') : hire === 'yes';
  return { scopes: [...new Set(mayHire ? [...others, 'delegate' as const] : others)], neverHires: hire === 'never' };
}

async function save(ctx: Ctx, given: GrantSettings & { userId: string; agentId: string }): Promise<void> {
  const grant = { ...given, now: ctx.now };
  await saveGrant(grant, grantSet(ctx, grant));
  if (!grant.scopes.includes('delegate')) await endDelegations(grant);
}

/**
 * Revokes all scopes that the user granted an agent, and deletes the record of its use. Also works for agents that the
 * user can no longer call.
 * @throws {ParleyError} `not_found`
 */
export async function removeGrant({ ctx, input }: Call<{ slug: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  const agent = await findAgent(input.slug);
  if (!agent) throw notFound('agent');
  const grant = { userId, agentId: agent.id };
  if (!(await deleteGrant(grant, grantRemoved(ctx, grant)))) throw notFound('agent');
  await endDelegations({ ...grant, now: ctx.now });
}

const delegations = createCache<DelegationRecord | null>({
  topic: 'credential',
  max: DELEGATION_CACHE_SIZE,
  load: selectDelegation,
});

/** Finds the delegation with this id, or null. Cached; notifications invalidate the entry. */
export function findDelegation(id: string): Promise<DelegationRecord | null> {
  return delegations.get(id);
}

/** Returns the chain of delegations from this credential back to the user's own credential, newest first; empty if this
 * credential is not a delegation. */
export async function delegationsOf(credentialId: string): Promise<DelegationRecord[]> {
  const chain: DelegationRecord[] = [];
  for (let id = credentialId; id.startsWith('dlg_'); id = chain.at(-1)?.parentId ?? '') {
    const delegation = await findDelegation(id);
    if (!delegation) break;
    chain.push(delegation);
  }
  return chain;
}

/**
 * Returns the key that is stored with tasks created under this delegation, which can access only those tasks; undefined
 * for other credentials. Derived from the user's credential and the chain of agents, so a rotated secret or fewer
 * scopes do not change it.
 */
export async function delegationKeyOf(credentialId: string): Promise<string | undefined> {
  const chain = await delegationsOf(credentialId);
  const first = chain.at(-1);
  if (!first) return undefined;
  return sha256(JSON.stringify([first.parentId, ...chain.map(({ agentId }) => agentId)])).slice(0, 32);
}
