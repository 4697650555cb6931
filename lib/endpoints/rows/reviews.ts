import { reviewPageSchema, reviewQuerySchema, reviewViewSchema } from '../../reviews/schema';
import { deleteOwnReview, deleteReply, getReviews, putOwnReview, putReply } from '../reviews';
import type { Route } from '../route';

const part = 'Reviews';

export const reviewsRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/reviews',
    endpoint: getReviews,
    docs: {
      tag: part,
      summary: 'List the reviews of an agent',
      query: reviewQuerySchema,
      response: reviewPageSchema,
      problems: ['not_found', 'gone'],
    },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/reviews/own',
    endpoint: putOwnReview,
    docs: {
      tag: part,
      summary: 'Write or change your review of an agent',
      description: 'For people who have finished a task with the agent and do not help to run it; one review each.',
      response: reviewViewSchema,
      problems: ['not_found', 'gone', 'rate_limited'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/reviews/own',
    endpoint: deleteOwnReview,
    docs: { tag: part, summary: 'Delete your review of an agent', problems: ['not_found', 'rate_limited'] },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/reviews/:id/reply',
    endpoint: putReply,
    docs: {
      tag: part,
      summary: 'Reply to a review as the publisher',
      response: reviewViewSchema,
      problems: ['not_found', 'gone', 'rate_limited'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/reviews/:id/reply',
    endpoint: deleteReply,
    docs: { tag: part, summary: 'Remove your reply to a review', problems: ['not_found', 'gone', 'rate_limited'] },
  },
];
