import { deleteConversation, getThread, listConversations, renameConversation, searchMessages } from '../chat';
import { renameConversationSchema } from '../chat/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `GET /api/chat/conversations?q=&cursor=` */
export const getConversations: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, url }) =>
    listConversations({ ctx, input: { search: url.searchParams.get('q'), cursor: url.searchParams.get('cursor') } }),
});

/** `GET /api/chat/conversations/{id}?branch=&before=&at=` */
export const getConversation: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, params: { id = '' }, url: { searchParams: query } }) =>
    getThread({ ctx, input: { id, branch: query.get('branch'), before: query.get('before'), at: query.get('at') } }),
});

/** `GET /api/chat/search?q=&conversation=` */
export const searchChat: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, url: { searchParams: query } }) =>
    searchMessages({ ctx, input: { text: query.get('q') ?? '', conversationId: query.get('conversation') } }),
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
