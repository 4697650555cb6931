import { reviewPageSchema, reviewQuerySchema, reviewViewSchema } from '../../reviews/schema';
import { deleteOwnReview, deleteReply, getReviews, putOwnReview, putReply } from '../reviews';
import type { Row } from '../row';

const part = 'Reviews';

export const reviewsRows: Row[] = [
  {
    method: 'GET',
    path: '/api/agents/:slug/reviews',
    endpoint: getReviews,
    about: {
      part,
      summary: 'List the reviews of an agent',
      query: reviewQuerySchema,
      answer: reviewPageSchema,
      problems: ['not_found', 'gone'],
    },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/reviews/own',
    endpoint: putOwnReview,
    about: {
      part,
      summary: 'Write or change your review of an agent',
      more: 'For people who have finished a task with the agent and do not help to run it; one review each.',
      answer: reviewViewSchema,
      problems: ['not_found', 'gone', 'rate_limited'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/reviews/own',
    endpoint: deleteOwnReview,
    about: { part, summary: 'Delete your review of an agent', problems: ['not_found', 'rate_limited'] },
  },
  {
    method: 'PUT',
    path: '/api/agents/:slug/reviews/:id/reply',
    endpoint: putReply,
    about: {
      part,
      summary: 'Reply to a review as the publisher',
      answer: reviewViewSchema,
      problems: ['not_found', 'gone', 'rate_limited'],
    },
  },
  {
    method: 'DELETE',
    path: '/api/agents/:slug/reviews/:id/reply',
    endpoint: deleteReply,
    about: { part, summary: 'Remove your reply to a review', problems: ['not_found', 'gone', 'rate_limited'] },
  },
];
