import { type AgentRecord, findAgent, requireRole, requireVisible } from '../catalog';
import { markRankingDue } from '../discovery';
import { authorize, notifyPerson } from '../identity';
import { consume, type TokenBucketRule } from '../limits';
import type { Call, Ctx } from '../platform/context';
import { ParleyError } from '../platform/errors';
import { newId } from '../platform/ids';
import { env } from '../platform/runtime/env';
import { errorFields, log } from '../platform/runtime/log';
import type { MailText, Translation } from '../texts/sent-texts';
import { permissionOf, toReviewView } from './read-reviews';
import type { ReviewInput, ReviewView } from './schema';
import { deleteReviewBy, setReply } from './store/change-reviews';
import { selectReview, selectReviewBy, upsertReview } from './store/reviews';

/** Maximum writes, changes and deletions of reviews and replies per user. */
const REVIEW_LIMIT: TokenBucketRule = { name: 'reviews', burst: 20, perMinute: 5, onDatabaseDown: 'refuse' };

/**
 * Creates or changes the user's only review of an agent. Emails the owner about a new review.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for users who have not used the agent or are in its team,
 *   `not_found`, `gone`, `rate_limited`
 */
export async function writeReview({
  ctx,
  input,
}: Call<ReviewInput & { slug: string }>): Promise<{ review: ReviewView; created: boolean }> {
  const { userId } = authorize(ctx.actor, 'session');
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  const permission = await permissionOf(ctx.actor, agent);
  if (permission === 'own-agent') throw reviewerRunsAgent();
  // An existing review may be changed even if its author could no longer create it.
  if (permission !== 'yes' && !(await selectReviewBy(userId, agent.id))) throw reviewerHasNotUsedAgent();
  await consume(REVIEW_LIMIT, userId, ctx.now);
  const { stars, text } = input;
  const created = await upsertReview({ id: newId('rev'), agentId: agent.id, userId, stars, text, now: ctx.now });
  const review = await selectReviewBy(userId, agent.id);
  if (!review) throw new Error('a review that was just written is gone');
  await markRankingDue([agent.id], ctx.now);
  if (created) await notifyOwner(ctx, agent, stars);
  return { review: toReviewView(review), created };
}

/**
 * Deletes the user's review and the reply to it, even if the user can no longer see the agent.
 * @throws {ParleyError} `unauthenticated`, `forbidden`, `not_found`, `rate_limited`
 */
export async function deleteReview({ ctx, input }: Call<{ slug: string }>): Promise<void> {
  const { userId } = authorize(ctx.actor, 'session');
  await consume(REVIEW_LIMIT, userId, ctx.now);
  const agent = await findAgent(input.slug);
  if (!agent || !(await deleteReviewBy(userId, agent.id))) throw reviewNotFound();
  await markRankingDue([agent.id], ctx.now);
}

interface ReplyCall {
  ctx: Ctx;
  input: { slug: string; reviewId: string };
}

/**
 * Publishes the agent team's reply to a review, and replaces an earlier one. Emails the author about the first reply.
 * @throws {ParleyError} `unauthenticated`, `forbidden` for viewers of the team, `not_found` (also for other users'
 *   agents), `gone`, `rate_limited`
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
 * Deletes the reply to a review.
 * @throws {ParleyError} as {@link replyToReview}
 */
export async function removeReply({ ctx, input }: ReplyCall): Promise<void> {
  const agent = await requireReviewedAgent({ ctx, input });
  if (!(await setReply({ id: input.reviewId, agentId: agent.id }, null))) throw reviewNotFound();
}

async function requireReviewedAgent({ ctx, input }: ReplyCall): Promise<AgentRecord> {
  const user = authorize(ctx.actor, 'session');
  const agent = requireRole(user, await findAgent(input.slug), 'developer');
  await consume(REVIEW_LIMIT, user.userId, ctx.now);
  return agent;
}

/** Returns the same error for reviews that are unknown, hidden or of another agent. */
function reviewNotFound(): ParleyError {
  return new ParleyError('not_found', 'Review not found. It may have been deleted; reload the page.');
}

function reviewerHasNotUsedAgent(): ParleyError {
  return new ParleyError(
    'forbidden',
    'Only people who have used this agent can review it. Complete a task with it first.',
  );
}

function reviewerRunsAgent(): ParleyError {
  return new ParleyError(
    'forbidden',
    'You are on the team of this agent, so you cannot review it. You can reply to reviews.',
  );
}

// These emails contain no user-written text, so that users cannot send messages to others through Parley.

/** Emails an agent's owner about a new review. */
async function notifyOwner(ctx: Ctx, { ownerId, slug }: AgentRecord, stars: number): Promise<void> {
  await notify(ctx, ownerId, ({ mail }) => mail('review', { slug, stars, link: reviewsUrl(slug) }));
}

/** Emails a review's author about the publisher's reply. */
async function notifyAuthor(ctx: Ctx, userId: string, { slug }: AgentRecord): Promise<void> {
  await notify(ctx, userId, ({ mail }) => mail('reply', { slug, link: reviewsUrl(slug) }));
}

function reviewsUrl(slug: string): string {
  return `${env().APP_URL}/agents/${slug}?tab=reviews#reviews`;
}

/** Emails a user. A failure is logged and does not fail the request. */
async function notify(ctx: Ctx, userId: string, mail: (texts: Translation) => MailText): Promise<void> {
  try {
    await notifyPerson({ ctx, input: { userId, kind: 'reviews', mail } });
  } catch (error) {
    log.warn('review.notification_failed', errorFields(error));
  }
}
