import type { Ctx } from '../platform/context';
import { diffCards } from './diff-cards';
import { findAgent } from './find-agent';
import { requireRole, requireUser } from './policy';
import type { PendingCard } from './schema';
import { selectCardVersion, selectRefreshState } from './store/card-refresh-state';

/**
 * The card that waits for its owner's word, beside the one that is listed; null when none waits.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`
 */
export async function getPendingCard({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<PendingCard | null> {
  const user = requireUser(ctx.actor, 'agents:read');
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const pending = (await selectRefreshState(agent.id))?.pending;
  const version = pending && (await selectCardVersion(pending.versionId));
  if (!pending || !version) return null;
  const { digest, fetchedAt, reasons } = pending;
  const differences = diffCards(agent.card, version.card);
  return { digest, fetchedAt: fetchedAt.toISOString(), reasons, differences };
}
