import { findAgent, requireVisible } from '../catalog';
import type { Ctx } from '../platform/context';
import type { ReviewPage, ReviewQuery } from './schema';
import { selectRating, selectReviews } from './store/reviews';
import { toReviewView } from './to-wire';

const pageSize = 10;

/**
 * One page of an agent's reviews and what they come to, open to everyone who may see the agent.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function listReviews({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: ReviewQuery & { slug: string };
}): Promise<ReviewPage> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const { sort, page } = input;
  const [summary, reviews] = await Promise.all([
    selectRating(agent.id),
    selectReviews(agent.id, { sort, offset: (page - 1) * pageSize, limit: pageSize }),
  ]);
  const pages = Math.max(1, Math.ceil(summary.count / pageSize));
  return { summary, items: reviews.map(toReviewView), page, pages };
}
