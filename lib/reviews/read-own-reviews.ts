import { findAgentById } from '../catalog';
import type { Ctx } from '../platform/context';
import { requireSession } from './policy';
import type { ReviewView } from './schema';
import { selectReviewsBy } from './store/reviews';
import { toReviewView } from './to-wire';

/**
 * Everything that a person wrote about agents, with the slug of each.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function readOwnReviews({ ctx }: { ctx: Ctx }): Promise<(ReviewView & { agent: string })[]> {
  const { userId } = requireSession(ctx.actor);
  const reviews = await selectReviewsBy(userId);
  return Promise.all(
    reviews.map(async (review) => {
      const agent = await findAgentById(review.agentId);
      return { agent: agent?.slug ?? review.agentId, ...toReviewView(review) };
    }),
  );
}
