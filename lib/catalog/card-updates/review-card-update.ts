import { authorize } from '../../identity';
import { agentChanged } from '../../observability';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { toView } from '../agents/agent-views';
import { findAgent } from '../agents/find-agent';
import { requireRole } from '../authorization';
import { diffCards, summaryFieldsOf } from '../cards/card-version';
import type { AgentView } from '../schema';
import type { PendingCard } from '../schema-cards';
import { selectCardVersion, selectRefreshState } from '../store/card-rows';
import { changeAgent } from '../store/change-agent';
import { rejectPendingCard } from '../store/change-cards';

/**
 * Returns the card that awaits approval, with its differences from the listed one; null if there is none.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`
 */
export async function getPendingCard({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<PendingCard | null> {
  const user = authorize(ctx.actor, { scope: 'agents:read' });
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const pending = (await selectRefreshState(agent.id))?.pending;
  const version = pending && (await selectCardVersion(pending.versionId));
  if (!pending || !version) return null;
  const { digest, fetchedAt, reasons } = pending;
  const differences = diffCards(agent.card, version.card);
  return { digest, fetchedAt: fetchedAt.toISOString(), reasons, differences };
}

/**
 * Lists the card that awaits approval.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`,
 *   `forbidden`; `conflict` if no card awaits approval, or one with another digest
 */
export async function approveCardUpdate({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; digest: string };
}): Promise<AgentView> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  const pending = (await selectRefreshState(agent.id))?.pending;
  if (!pending) throw new ParleyError('conflict', 'No card of this agent is waiting for review.');
  if (pending.digest !== input.digest) {
    const text = `A newer card is waiting, with the digest ${pending.digest}. Review and approve that one.`;
    throw new ParleyError('conflict', text, { data: { digest: pending.digest } });
  }
  const version = await selectCardVersion(pending.versionId);
  if (!version)
    throw new ParleyError('conflict', 'The card waiting for review is no longer available. Reload in a moment.');
  const changes = { ...summaryFieldsOf(version), updatedAt: ctx.now };
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card'] });
  const updated = await changeAgent(agent, changes, { version: { pendingVersionId: pending.versionId }, audit });
  return toView(updated, await selectRefreshState(agent.id));
}

/**
 * Rejects the card that awaits approval. It is not proposed again while the agent serves it.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` (also for other teams' agents), `gone`,
 *   `forbidden` for viewers; `conflict` if no card awaits approval, or one with another digest
 */
export async function rejectCardUpdate({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string; digest: string };
}): Promise<void> {
  const user = authorize(ctx.actor, { scope: 'agents:write' });
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  const pending = (await selectRefreshState(agent.id))?.pending;
  if (pending?.digest !== input.digest) {
    throw new ParleyError('conflict', 'This card is no longer waiting for review. Reload the page.');
  }
  const audit = agentChanged(ctx, { ...agent, change: 'changed', members: ['card', 'kept'] });
  await rejectPendingCard(agent.id, { ...pending, audit });
}
