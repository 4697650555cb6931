import type { Ctx } from '../platform/context';
import { differencesOf } from './card-differences';
import { findAgent } from './find-agent';
import { requirePerson, requireRole } from './policy';
import type { CardReview } from './schema';
import { selectVersion, selectWatch } from './store/card-watch';

/**
 * The card that waits for its owner's word, beside the one that is listed; null when none waits.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`, `not_found` also for foreign agents, `gone`
 */
export async function reviewCard({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<CardReview | null> {
  const user = requirePerson(ctx.actor, 'agents:read');
  const agent = requireRole(user, await findAgent(input.slug), 'viewer');
  const waiting = (await selectWatch(agent.id))?.waiting;
  const version = waiting && (await selectVersion(waiting.versionId));
  if (!waiting || !version) return null;
  const { digest, fetchedAt, reasons } = waiting;
  const differences = differencesOf(agent.card, version.card);
  return { digest, fetchedAt: fetchedAt.toISOString(), reasons, differences };
}
