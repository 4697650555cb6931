import { findAgent, requireVisible } from '../catalog';
import { markStandingDue } from '../discovery';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { reviewerHasNotUsedAgent, reviewerRunsAgent } from './errors';
import { notifyOwner } from './notify';
import { permissionOf, REVIEW_LIMIT, requireSession } from './policy';
import type { ReviewInput, ReviewView } from './schema';
import { selectReviewBy, upsertReview } from './store/reviews';
import { toReviewView } from './to-wire';

/**
 * Writes or changes a person's one review of an agent that they have used; the publisher is mailed about a new one.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for who has not used it or helps to run it, `not_found`, `gone`,
 *   `rate_limited`
 */
export async function writeReview({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: ReviewInput & { slug: string };
}): Promise<{ review: ReviewView; created: boolean }> {
  const { userId } = requireSession(ctx.actor);
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const permission = await permissionOf(ctx.actor, agent);
  if (permission === 'own-agent') throw reviewerRunsAgent();
  // Whoever wrote one while it counted may go on changing it.
  if (permission !== 'yes' && !(await selectReviewBy(userId, agent.id))) throw reviewerHasNotUsedAgent();
  await consume(REVIEW_LIMIT, userId, ctx.now);
  const { stars, text } = input;
  const created = await upsertReview({ id: newId('rev'), agentId: agent.id, userId, stars, text, now: ctx.now });
  const review = await selectReviewBy(userId, agent.id);
  if (!review) throw new Error('a review that was just written is gone');
  await markStandingDue([agent.id], ctx.now);
  if (created) await notifyOwner(ctx, agent, stars);
  return { review: toReviewView(review), created };
}
