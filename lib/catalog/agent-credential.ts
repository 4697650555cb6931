import { type AuditEntry, agentChanged } from '../observability';
import { type Cache, createCache } from '../platform/cache';
import type { Ctx } from '../platform/context';
import { checkExternalUrl } from '../platform/safe-fetch';
import { findAgent } from './find-agent';
import { requireRole, requireUser } from './policy';
import type { AgentRecord } from './record';
import type { CredentialInput, CredentialView } from './schema';
import { deleteCredential, type StoredCredential, selectCredential, upsertCredential } from './store/credentials';

const credentialCache: Cache<StoredCredential | null> = createCache({
  name: 'agent-credential',
  max: 5_000,
  topic: 'agent',
  load: selectCredential,
});

/** What the owner stored for calls to their agent; kept sealed in memory as on disk, and opened for each call. */
export async function openAgentCredential(
  agentId: string,
): Promise<{ credential: CredentialInput; setAt: Date } | null> {
  const stored = await credentialCache.get(agentId);
  return stored && { credential: stored.open(), setAt: stored.setAt };
}

/** True when it is known at this moment that the owner stored nothing, as most owners. */
export function hasNoCredential(agentId: string): boolean {
  return credentialCache.peek(agentId) === null;
}

/** Which kind of credential is stored and since when; null: none. */
export async function describeCredential(agentId: string): Promise<CredentialView | null> {
  const stored = await credentialCache.get(agentId);
  return stored && { kind: stored.kind, setAt: stored.setAt.toISOString() };
}

/**
 * Stores what Parley shows an agent of the person's team when it calls it, in place of what was stored before.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`,
 *   `url_refused` for a token endpoint that cannot be called
 */
export async function setAgentCredential({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; credential: CredentialInput };
}): Promise<CredentialView> {
  const agent = await ownAgent(ctx, input.slug);
  const { credential } = input;
  if (credential.kind === 'oauth-client-credentials') checkExternalUrl(credential.tokenUrl);
  await upsertCredential(agent.id, { credential, setAt: ctx.now, audit: credentialChanged(ctx, agent) });
  return { kind: credential.kind, setAt: ctx.now.toISOString() };
}

/**
 * Forgets what was stored for an agent of the person's team; nothing happens when there is nothing.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`
 */
export async function removeAgentCredential({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<void> {
  const agent = await ownAgent(ctx, input.slug);
  await deleteCredential(agent.id, credentialChanged(ctx, agent));
}

function credentialChanged(ctx: Ctx, agent: AgentRecord): AuditEntry {
  return agentChanged(ctx, { ...agent, change: 'changed', members: ['credential'] });
}

async function ownAgent(ctx: Ctx, slug: string): Promise<AgentRecord> {
  const user = requireUser(ctx.actor, 'agents:write');
  return requireRole(user, await findAgent(slug), 'developer');
}
