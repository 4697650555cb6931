import { findAgent } from '../catalog';
import { markStandingDue } from '../discovery';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { reviewNotFound } from './errors';
import { REVIEW_LIMIT, requireSession } from './policy';
import { deleteReviewBy } from './store/reviews';

/**
 * Deletes a person's own review with the reply to it; also of an agent that they can no longer see.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`
 */
export async function deleteReview({ ctx, input }: { ctx: Ctx; input: { slug: string } }): Promise<void> {
  const { userId } = requireSession(ctx.actor);
  await consume(REVIEW_LIMIT, userId, ctx.now);
  const agent = await findAgent(input.slug);
  if (!agent || !(await deleteReviewBy(userId, agent.id))) throw reviewNotFound();
  await markStandingDue([agent.id], ctx.now);
}
