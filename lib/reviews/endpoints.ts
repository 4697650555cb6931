import { type Endpoint, endpoint } from '../http/endpoint';
import { jsonResponse } from '../http/respond';
import { lastValues } from '../http/routes/json-route';
import { deleteReview, listReviews, removeReply, replyToReview, writeReview } from '.';
import { replyInputSchema, reviewInputSchema, reviewPageSchema, reviewQuerySchema, reviewViewSchema } from './schema';

const getReviews = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/reviews',
  reads: 'replica',
  auth: 'anyone',
  query: reviewQuerySchema,
  readQuery: lastValues,
  response: reviewPageSchema,
  errors: ['not_found', 'gone'],
  docs: { tag: 'Reviews', summary: 'List the reviews of an agent' },
  handle: ({ ctx, query, params }) => listReviews({ ctx, input: { ...query, slug: params.slug ?? '' } }),
});

const putOwnReview = endpoint({
  method: 'PUT',
  path: '/api/agents/:slug/reviews/own',
  auth: 'session',
  body: reviewInputSchema,
  response: reviewViewSchema,
  errors: ['not_found', 'gone', 'rate_limited'],
  docs: {
    tag: 'Reviews',
    summary: 'Create or update your review of an agent',
    description:
      'Only for users who have completed a task with the agent and are not on its team; one review per user.',
  },
  handle: async ({ ctx, input, params }) => {
    const { review, created } = await writeReview({ ctx, input: { ...input, slug: params.slug ?? '' } });
    return jsonResponse(review, { status: created ? 201 : 200 });
  },
});

const deleteOwnReview = endpoint({
  method: 'DELETE',
  path: '/api/agents/:slug/reviews/own',
  auth: 'session',
  errors: ['not_found', 'rate_limited'],
  docs: { tag: 'Reviews', summary: 'Delete your review of an agent' },
  handle: async ({ ctx, params }) => {
    await deleteReview({ ctx, input: { slug: params.slug ?? '' } });
    return undefined;
  },
});

const putReply = endpoint({
  method: 'PUT',
  path: '/api/agents/:slug/reviews/:id/reply',
  auth: 'session',
  body: replyInputSchema,
  response: reviewViewSchema,
  errors: ['not_found', 'gone', 'rate_limited'],
  docs: { tag: 'Reviews', summary: 'Reply to a review as the publisher' },
  handle: ({ ctx, input, params }) => {
    const target = { slug: params.slug ?? '', reviewId: params.id ?? '' };
    return replyToReview({ ctx, input: { ...input, ...target } });
  },
});

const deleteReply = endpoint({
  method: 'DELETE',
  path: '/api/agents/:slug/reviews/:id/reply',
  auth: 'session',
  errors: ['not_found', 'gone', 'rate_limited'],
  docs: { tag: 'Reviews', summary: 'Remove your reply to a review' },
  handle: async ({ ctx, params }) => {
    await removeReply({ ctx, input: { slug: params.slug ?? '', reviewId: params.id ?? '' } });
    return undefined;
  },
});

export const reviewsEndpoints: Endpoint[] = [getReviews, putOwnReview, deleteOwnReview, putReply, deleteReply];
