import { type AgentRecord, findAgent, findAgentById, hasRole, requireVisible, roleOfPerson } from '../catalog';
import { authorize } from '../identity';
import type { Actor, Ctx } from '../platform/context';
import { hasFinishedTask } from '../tasks';
import { REVIEW_PAGE_SIZE } from './limits';
import type { ReviewerStatus, ReviewPage, ReviewPermission, ReviewQuery, ReviewView } from './schema';
import {
  type ReviewRecord,
  selectRating,
  selectReview,
  selectReviewBy,
  selectReviews,
  selectReviewsBy,
} from './store/reviews';

/**
 * Returns a page of an agent's reviews with its rating, visible to every actor who may see the agent.
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
    selectReviews(agent.id, { sort, offset: (page - 1) * REVIEW_PAGE_SIZE, limit: REVIEW_PAGE_SIZE }),
  ]);
  const pages = Math.max(1, Math.ceil(summary.count / REVIEW_PAGE_SIZE));
  return { summary, items: reviews.map(toReviewView), page, pages };
}

/**
 * Returns the actor's own review of an agent, and their permissions.
 * @throws {ParleyError} `not_found`, `gone`
 */
export async function getReviewerStatus({
  ctx,
  input,
}: {
  ctx: Pick<Ctx, 'actor'>;
  input: { slug: string };
}): Promise<ReviewerStatus> {
  const { actor } = ctx;
  const agent = requireVisible(actor, await findAgent(input.slug));
  const [permission, own] = await Promise.all([
    permissionOf(actor, agent),
    actor.kind === 'user' ? selectReviewBy(actor.userId, agent.id) : null,
  ]);
  return {
    permission,
    // An empty text marks a review that was deleted while hidden.
    own: own && own.text !== '' ? { ...toReviewView(own), isHidden: own.hiddenAt !== null } : null,
    mayReply: hasRole(actor, agent, 'developer'),
  };
}

/**
 * Returns all reviews by the user, each with the agent's slug, for the account export.
 * @throws {ParleyError} `unauthenticated`, `forbidden`
 */
export async function readOwnReviews({ ctx }: { ctx: Ctx }): Promise<(ReviewView & { agent: string })[]> {
  const { userId } = authorize(ctx.actor, 'session');
  const reviews = await selectReviewsBy(userId);
  return Promise.all(
    reviews.map(async (review) => {
      const agent = await findAgentById(review.agentId);
      return { agent: agent?.slug ?? review.agentId, ...toReviewView(review) };
    }),
  );
}

/** The moderators' view of a review, hidden or not. */
interface FoundReview {
  id: string;
  agentId: string;
  userId: string;
  stars: number;
  text: string;
  author: string;
  isHidden: boolean;
}

/** Finds the review with this id, hidden or not; null if it is unknown. Does not check visibility. */
export async function findReview(id: string): Promise<FoundReview | null> {
  const review = await selectReview(id);
  if (!review) return null;
  const { agentId, userId, stars, text, author, hiddenAt } = review;
  return { id, agentId, userId, stars, text, author, isHidden: hiddenAt !== null };
}

/** Returns the public view of a review. */
export function toReviewView(review: ReviewRecord): ReviewView {
  const { id, stars, text, author, createdAt, updatedAt, reply, repliedAt, isDemo } = review;
  return {
    id,
    stars,
    text,
    author,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    reply: reply !== null && repliedAt ? { text: reply, at: repliedAt.toISOString() } : null,
    ...(isDemo && { isDemo }),
  };
}

/**
 * Returns the permission of the actor to review the agent: they must have finished a task with it and must not be in
 * its team.
 */
export async function permissionOf(actor: Actor, agent: AgentRecord): Promise<ReviewPermission> {
  if (actor.kind !== 'user') return 'signed-out';
  if (roleOfPerson(actor.userId, agent) !== null) return 'own-agent';
  return (await hasFinishedTask(actor.userId, agent.id)) ? 'yes' : 'not-used';
}
