import { deleteConversation, getThread, listConversations, renameConversation } from '../chat';
import { renameConversationSchema } from '../chat/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/json-route';

/** `GET /api/chat/conversations?q=&cursor=` */
export const getConversations: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, url }) =>
    listConversations({ ctx, input: { search: url.searchParams.get('q'), cursor: url.searchParams.get('cursor') } }),
});

/** `GET /api/chat/conversations/{id}` */
export const getConversation: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, params: { id = '' } }) => getThread({ ctx, input: { id } }),
});

/** `PATCH /api/chat/conversations/{id}` */
export const patchConversation: Endpoint = jsonRoute({
  auth: 'session',
  body: renameConversationSchema,
  handle: ({ ctx, input, params: { id = '' } }) => renameConversation({ ctx, input: { ...input, id } }),
});

/** `DELETE /api/chat/conversations/{id}` */
export const removeConversation: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' } }) => {
    await deleteConversation({ ctx, input: { id } });
    return undefined;
  },
});
