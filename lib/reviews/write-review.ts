import { findAgent, requireVisible } from '../catalog';
import { markStandingDue } from '../discovery';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { newId } from '../platform/ids';
import { notUsed, ownAgent } from './errors';
import { permissionOf, requireAuthor, writeRule } from './policy';
import type { ReviewInput, ReviewView } from './schema';
import { keepReview, selectReviewBy } from './store/reviews';
import { tellOwner } from './tell';
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
  const { userId } = requireAuthor(ctx.actor);
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const permission = await permissionOf(ctx.actor, agent);
  if (permission === 'own-agent') throw ownAgent();
  // Whoever wrote one while it counted may go on changing it.
  if (permission !== 'yes' && !(await selectReviewBy(userId, agent.id))) throw notUsed();
  await consume(writeRule, userId, ctx.now);
  const { stars, text } = input;
  const created = await keepReview({ id: newId('rev'), agentId: agent.id, userId, stars, text, now: ctx.now });
  const review = await selectReviewBy(userId, agent.id);
  if (!review) throw new Error('a review that was just written is gone');
  await markStandingDue([agent.id], ctx.now);
  if (created) await tellOwner(ctx, agent, stars);
  return { review: toReviewView(review), created };
}
