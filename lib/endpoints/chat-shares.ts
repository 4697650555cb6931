import { listShares, previewShare, revokeShare, shareConversation } from '../chat';
import { createShareSchema } from '../chat/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/chat/conversations/{id}/shares/preview?branch=&until=`: what a link would show. */
export const getSharePreview: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, params: { id = '' }, url: { searchParams: query } }) =>
    previewShare({ ctx, input: { id, branch: query.get('branch'), until: query.get('until') } }),
});

/** `GET /api/chat/conversations/{id}/shares` */
export const getShares: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, params: { id = '' } }) => listShares({ ctx, input: { id } }),
});

/** `POST /api/chat/conversations/{id}/shares`: 201 with the link, which is told only here. */
export const postShare: Endpoint = jsonRoute({
  auth: 'session',
  body: createShareSchema,
  handle: async ({ ctx, input, params: { id = '' } }) =>
    Response.json(await shareConversation({ ctx, input: { ...input, id } }), { status: 201 }),
});

/** `DELETE /api/chat/shares/{id}` */
export const removeShare: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' } }) => {
    await revokeShare({ ctx, input: { id } });
    return undefined;
  },
});
