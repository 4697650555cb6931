import { type AgentRecord, findAgent, requireRole } from '../catalog';
import { consume } from '../limits';
import type { Ctx } from '../platform/context';
import { reviewNotFound } from './errors';
import { notifyAuthor } from './notify';
import { REVIEW_LIMIT, requireSession } from './policy';
import type { ReviewView } from './schema';
import { selectReview, setReply } from './store/reviews';
import { toReviewView } from './to-wire';

interface ReplyCall {
  ctx: Ctx;
  input: { slug: string; reviewId: string };
}

/**
 * Answers a review for all to read, as the agent's publisher; a second reply takes the place of the first. Who wrote the
 * review is mailed about the first.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for viewers of the team, `not_found` also for foreign agents, `gone`,
 *   `rate_limited`
 */
export async function replyToReview({ ctx, input }: ReplyCall & { input: { text: string } }): Promise<ReviewView> {
  const agent = await requireReviewedAgent({ ctx, input });
  const before = await selectReview(input.reviewId);
  const target = { id: input.reviewId, agentId: agent.id };
  if (!(await setReply(target, { text: input.text, at: ctx.now }))) throw reviewNotFound();
  const review = await selectReview(input.reviewId);
  if (!review) throw reviewNotFound();
  if (before?.reply === null) await notifyAuthor(ctx, review.userId, agent);
  return toReviewView(review);
}

/**
 * Takes the publisher's reply away.
 * @throws {ParleyError} as {@link replyToReview}
 */
export async function removeReply({ ctx, input }: ReplyCall): Promise<void> {
  const agent = await requireReviewedAgent({ ctx, input });
  if (!(await setReply({ id: input.reviewId, agentId: agent.id }, null))) throw reviewNotFound();
}

async function requireReviewedAgent({ ctx, input }: ReplyCall): Promise<AgentRecord> {
  const user = requireSession(ctx.actor);
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  await consume(REVIEW_LIMIT, user.userId, ctx.now);
  return agent;
}
