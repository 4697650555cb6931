import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { authorize } from '../../identity';
import { consume } from '../../limits';
import { agentChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { fetchExternalBody } from '../../platform/http-client/safe-fetch';
import { errorFields, log } from '../../platform/runtime/log';
import { hmac } from '../../platform/secrets/crypto';
import { toOwnershipView } from '../agents/agent-views';
import { findAgent } from '../agents/find-agent';
import { requireRole } from '../authorization';
import { notForHubAgents } from '../errors';
import { MAX_PROOF_FILE_BYTES, OWNERSHIP_GRACE_MS, OWNERSHIP_RECHECK_BATCH, OWNERSHIP_TIMEOUT_MS } from '../limits';
import { REGISTRATION_LIMIT } from '../rate-limits';
import { type AgentRecord, isHubUrl } from '../record';
import type { OwnershipProof, OwnershipView } from '../schema-team';
import { selectAgentById } from '../store/agent-rows';
import { changeAgent } from '../store/change-agent';
import {
  claimDueOwnerships,
  deleteOwnership,
  markProofMissing,
  type OwnershipRecord,
  saveProof,
  selectOwnership,
} from '../store/publisher-rows';

/** Finds the stored proof that an agent's owner controls its host, or null. */
export function findOwnership(agentId: string): Promise<OwnershipRecord | null> {
  return selectOwnership(agentId);
}

/**
 * Returns the state of an agent's ownership proof, and the proof that its owner must publish.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`;
 *   `conflict` for an agent that connects to Parley
 */
export async function getOwnership({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<OwnershipView> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  const agent = requireHost(requireRole(user, await findAgent(input.slug), 'viewer'));
  return toOwnershipView(ownershipProofOf(agent), await selectOwnership(agent.id));
}

/**
 * Checks whether the proof is published. If so, the listing receives the badge `verified`; otherwise, an earlier proof
 * stays valid.
 * @throws {ParleyError} as {@link getOwnership}; `rate_limited`
 */
export async function checkOwnership({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<OwnershipView> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireHost(requireRole(user, await findAgent(input.slug), 'developer'));
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

function requireHost(agent: AgentRecord): AgentRecord {
  if (isHubUrl(agent.url)) throw notForHubAgents('There is no host to verify.');
  return agent;
}

/**
 * Checks the proofs that are due, each on one node, and returns their number. Revokes a proof that has been missing for
 * longer than the grace period.
 */
export async function recheckOwnerships({ now, signal }: { now: Date; signal: AbortSignal }): Promise<number> {
  const due = await claimDueOwnerships(now, OWNERSHIP_RECHECK_BATCH);
  await Promise.all(due.map((agentId) => recheck(agentId, { now, signal })));
  return due.length;
}

async function recheck(agentId: string, { now, signal }: { now: Date; signal: AbortSignal }): Promise<void> {
  try {
    const agent = await selectAgentById(agentId);
    if (!agent) return;
    const method = await findPublishedProof(ownershipProofOf(agent), { signal });
    if (method) return await saveProof(agentId, { method, now });
    const since = await markProofMissing(agentId, now);
    if (now.getTime() - since.getTime() >= OWNERSHIP_GRACE_MS) await revokeProof(agent, now);
  } catch (error) {
    if (!signal.aborted) log.error('ownership.check_failed', { agentId, ...errorFields(error) });
  }
}

async function revokeProof(agent: AgentRecord, now: Date): Promise<void> {
  await changeAgent(agent, { badges: agent.badges.filter((badge) => badge !== 'verified'), updatedAt: now });
  await deleteOwnership(agent.id);
}

/**
 * Returns the proof that the owner must publish, and its possible locations. The text is unique per agent and owner.
 */
export function ownershipProofOf({ id, ownerId, url }: Pick<AgentRecord, 'id' | 'ownerId' | 'url'>): OwnershipProof {
  const { hostname, origin } = new URL(url);
  const isName = isIP(hostname.replace(/[[\]]/g, '')) === 0 && hostname.includes('.');
  return {
    host: hostname,
    text: `parley-agent=${hmac('agent-ownership', `${id} ${ownerId}`).slice(0, 32)}`,
    dnsName: isName ? `_parley.${hostname}` : null,
    fileUrl: `${origin}/.well-known/parley-agent.txt`,
  };
}

/**
 * Returns the location of the published proof, which is a TXT record or a line of the file; null if it is not
 * published.
 */
export async function findPublishedProof(
  { text, dnsName, fileUrl }: OwnershipProof,
  {
    signal,
    resolver = new Resolver({ timeout: OWNERSHIP_TIMEOUT_MS, tries: 1 }),
  }: { signal: AbortSignal; resolver?: Resolver },
): Promise<'dns' | 'file' | null> {
  if (dnsName && (await readTextRecords(dnsName, resolver)).includes(text)) return 'dns';
  return (await readFileLines(fileUrl, signal)).includes(text) ? 'file' : null;
}

/** Reads the strings of each TXT record, concatenated (RFC 7208 §3.3). Any DNS error counts as no record. */
async function readTextRecords(name: string, resolver: Resolver): Promise<string[]> {
  const records = await resolver.resolveTxt(name).catch(() => []);
  return records.map((strings) => strings.join('').trim());
}

async function readFileLines(url: string, signal: AbortSignal): Promise<string[]> {
  try {
    const { status, bytes } = await fetchExternalBody({
      url,
      method: 'GET',
      headers: { accept: 'text/plain' },
      maxBytes: MAX_PROOF_FILE_BYTES,
      totalMs: OWNERSHIP_TIMEOUT_MS,
      signal,
    });
    return status === 200
      ? bytes
          .toString('utf8')
          .split(/\r?\n/)
          .map((line) => line.trim())
      : [];
  } catch (error) {
    if (error instanceof ParleyError && !signal.aborted) return [];
    throw error;
  }
}
