import type { Endpoint } from '../http/endpoint';
import { jsonRoute, parseBody } from '../http/routes/json-route';
import { deleteReview, listReviews, removeReply, replyToReview, writeReview } from '../reviews';
import { replyInputSchema, reviewInputSchema, reviewQuerySchema } from '../reviews/schema';

/** `GET /api/agents/{slug}/reviews`: one page of reviews and what they come to; open to all. */
export const getReviews: Endpoint = jsonRoute({
  auth: 'anyone',
  handle: ({ ctx, params, url }) => {
    const query = parseBody(reviewQuerySchema, Object.fromEntries(url.searchParams));
    return listReviews({ ctx, input: { ...query, slug: params.slug ?? '' } });
  },
});

/** `PUT /api/agents/{slug}/reviews/own`: writes one's review, or changes it; 201 for a new one. */
export const putOwnReview: Endpoint = jsonRoute({
  auth: 'session',
  body: reviewInputSchema,
  handle: async ({ ctx, input, params }) => {
    const { review, created } = await writeReview({ ctx, input: { ...input, slug: params.slug ?? '' } });
    return Response.json(review, { status: created ? 201 : 200 });
  },
});

/** `DELETE /api/agents/{slug}/reviews/own`. */
export const deleteOwnReview: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params }) => {
    await deleteReview({ ctx, input: { slug: params.slug ?? '' } });
    return undefined;
  },
});

/** `PUT /api/agents/{slug}/reviews/{id}/reply`: the publisher's answer, for all to read. */
export const putReply: Endpoint = jsonRoute({
  auth: 'session',
  body: replyInputSchema,
  handle: ({ ctx, input, params }) => {
    const place = { slug: params.slug ?? '', reviewId: params.id ?? '' };
    return replyToReview({ ctx, input: { ...input, ...place } });
  },
});

/** `DELETE /api/agents/{slug}/reviews/{id}/reply`. */
export const deleteReply: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params }) => {
    await removeReply({ ctx, input: { slug: params.slug ?? '', reviewId: params.id ?? '' } });
    return undefined;
  },
});
