import { authorize } from '../../identity';
import { type AuditEntry, agentChanged, appendAudit } from '../../observability';
import { type Cache, createCache } from '../../platform/cache';
import type { Ctx } from '../../platform/context';
import type { Tx } from '../../platform/db/tx';
import { checkExternalUrl } from '../../platform/http-client/external-urls';
import { requireRole } from '../authorization';
import { notForHubAgents } from '../errors';
import { AGENT_CACHE_ENTRIES } from '../limits';
import { type AgentRecord, isHubUrl } from '../record';
import type { CredentialInput, CredentialView } from '../schema';
import {
  deleteCredential,
  type StoredCredential,
  selectCredential,
  upsertCredential,
  upsertCredentialInTx,
} from '../store/credentials';
import { findAgent } from './find-agent';

const credentialCache: Cache<StoredCredential | null> = createCache({
  max: AGENT_CACHE_ENTRIES,
  topic: 'agent',
  load: selectCredential,
});

/**
 * Returns the credential for calls to an agent; null if none is stored. It is cached encrypted and decrypted per call.
 */
export async function openAgentCredential(
  agentId: string,
): Promise<{ credential: CredentialInput; setAt: Date } | null> {
  const stored = await credentialCache.get(agentId);
  return stored && { credential: stored.open(), setAt: stored.setAt };
}

/** Returns true if the cache shows that no credential is stored, which avoids an `await` on the call path. */
export function hasNoCredential(agentId: string): boolean {
  return credentialCache.peek(agentId) === null;
}

/** Returns the kind and date of the stored credential, or null. */
export async function describeCredential(agentId: string): Promise<CredentialView | null> {
  const stored = await credentialCache.get(agentId);
  return stored && { kind: stored.kind, setAt: stored.setAt.toISOString() };
}

/**
 * Stores the credential that Parley presents to an agent of the user's team, and replaces an earlier one.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`,
 *   `url_refused` for a token endpoint that cannot be called, `conflict` for an agent that connects to Parley
 */
export async function setAgentCredential({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; credential: CredentialInput };
}): Promise<CredentialView> {
  const agent = await requireOwnAgent(ctx, input.slug);
  if (isHubUrl(agent.url)) throw notForHubAgents('Parley sends it only tasks.');
  const { credential } = input;
  checkCredential(credential);
  await upsertCredential(agent.id, { credential, setAt: ctx.now, audit: credentialChanged(ctx, agent) });
  return { kind: credential.kind, setAt: ctx.now.toISOString() };
}

/**
 * Requires that a credential can be used.
 * @throws {ParleyError} `url_refused` for a token endpoint that cannot be called
 */
export function checkCredential(credential: CredentialInput | undefined): void {
  if (credential?.kind === 'oauth-client-credentials') checkExternalUrl(credential.tokenUrl);
}

/**
 * Returns a function that stores the credential of an agent in the transaction that lists it, so that the agent is never
 * public without it. The caller must have authorized the user and checked the credential.
 */
export function credentialWriter(
  ctx: Ctx,
  credential: CredentialInput | undefined,
): (tx: Tx, agent: CredentialOwner) => Promise<void> {
  return async (tx, agent) => {
    if (!credential) return;
    await upsertCredentialInTx(tx, agent.id, { credential, setAt: ctx.now });
    await appendAudit(tx, credentialChanged(ctx, agent));
  };
}

type CredentialOwner = Pick<AgentRecord, 'id' | 'ownerId'>;

/**
 * Deletes the credential of an agent of the user's team. Idempotent.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`
 */
export async function removeAgentCredential({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<void> {
  const agent = await requireOwnAgent(ctx, input.slug);
  await deleteCredential(agent.id, credentialChanged(ctx, agent));
}

function credentialChanged(ctx: Ctx, agent: CredentialOwner): AuditEntry {
  return agentChanged(ctx, { ...agent, change: 'changed', members: ['credential'] });
}

async function requireOwnAgent(ctx: Ctx, slug: string): Promise<AgentRecord> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  return requireRole(user, await findAgent(slug), 'developer');
}
