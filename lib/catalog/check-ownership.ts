import { consume } from '../limits';
import { agentChanged } from '../observability';
import type { Ctx } from '../platform/context';
import { errorFields, log } from '../platform/log';
import { findAgent } from './find-agent';
import { findPublishedProof, ownershipProofOf } from './ownership-proof';
import { requireRole, requireUser } from './policy';
import { REGISTRATION_LIMIT } from './rate-limits';
import type { AgentRecord } from './record';
import type { OwnershipView } from './schema';
import { changeAgent, selectAgentById } from './store/agents';
import {
  claimDueOwnerships,
  deleteOwnership,
  gracePeriodMs,
  markProofMissing,
  saveProof,
  selectOwnership,
} from './store/ownerships';
import { toOwnershipView } from './to-wire';

const batchSize = 10;

/**
 * How it stands with the proof that an owner holds their agent's host, and what to publish for it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`
 */
export async function getOwnership({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<OwnershipView> {
  const user = requireUser(ctx.actor, 'agents:read');
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  return toOwnershipView(ownershipProofOf(agent), await selectOwnership(agent.id));
}

/**
 * Looks for the proof now. With it the listing is marked as verified; without it nothing is lost that was proved before.
 * @throws {ParleyError} as {@link getOwnership}; `rate_limited`
 */
export async function checkOwnership({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<OwnershipView> {
  const user = requireUser(ctx.actor, 'agents:write');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  await consume(REGISTRATION_LIMIT, user.userId, ctx.now);
  const proof = ownershipProofOf(agent);
  const method = await findPublishedProof(proof, ctx);
  if (method) {
    await saveProof(agent.id, { method, now: ctx.now });
    const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['ownership'] });
    if (!agent.badges.includes('verified')) {
      await changeAgent(agent, { badges: [...agent.badges, 'verified'], updatedAt: ctx.now }, { audit });
    }
  }
  return toOwnershipView(proof, await selectOwnership(agent.id));
}

/** Looks at proofs that are due, each daily and by one node at a time; one that is missing for a week counts no more. */
export async function recheckOwnerships({ now, signal }: { now: Date; signal: AbortSignal }): Promise<void> {
  const due = await claimDueOwnerships(now, batchSize);
  await Promise.all(due.map((agentId) => recheck(agentId, { now, signal })));
}

async function recheck(agentId: string, { now, signal }: { now: Date; signal: AbortSignal }): Promise<void> {
  try {
    const agent = await selectAgentById(agentId);
    if (!agent) return;
    const method = await findPublishedProof(ownershipProofOf(agent), { signal });
    if (method) return await saveProof(agentId, { method, now });
    const since = await markProofMissing(agentId, now);
    if (now.getTime() - since.getTime() >= gracePeriodMs) await revokeProof(agent, now);
  } catch (error) {
    if (!signal.aborted) log.error('ownership.check_failed', { agentId, ...errorFields(error) });
  }
}

async function revokeProof(agent: AgentRecord, now: Date): Promise<void> {
  await changeAgent(agent, { badges: agent.badges.filter((badge) => badge !== 'verified'), updatedAt: now });
  await deleteOwnership(agent.id);
}
