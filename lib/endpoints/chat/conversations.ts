import { z } from 'zod';
import {
  deleteConversation,
  followThread,
  getThread,
  listConversations,
  renameConversation,
  type SeenUpdate,
  searchMessages,
} from '../../chat';
import { conversationViewSchema, renameConversationSchema, searchResultSchema } from '../../chat/schema';
import { threadViewSchema } from '../../chat/schema-thread';
import { streamRoute } from '../../http/routes/json-route';
import { EventStream } from '../../http/sse/event-stream';
import { pageOf } from '../../platform/schema';
import { encodeSse } from '../../platform/sse';
import { endpoint } from '../endpoint';

export const getConversations = endpoint({
  method: 'GET',
  path: '/api/chat/conversations',
  auth: 'session',
  query: z.object({ q: z.string().optional(), cursor: z.string().optional() }),
  response: pageOf(conversationViewSchema),
  docs: { tag: 'Chat', summary: 'List your conversations' },
  handle: ({ ctx, url }) =>
    listConversations({ ctx, input: { search: url.searchParams.get('q'), cursor: url.searchParams.get('cursor') } }),
});

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/chat/conversations/:id',
  auth: 'session',
  query: z.object({ branch: z.string().optional(), before: z.string().optional(), at: z.string().optional() }),
  response: threadViewSchema,
  docs: {
    tag: 'Chat',
    summary: 'Read a conversation',
    description: 'The latest tasks of one branch; `before` a task has those before it, `at` a task all from it on.',
  },
  handle: ({ ctx, params: { id = '' }, url: { searchParams: query } }) =>
    getThread({ ctx, input: { id, branch: query.get('branch'), before: query.get('before'), at: query.get('at') } }),
});

export const searchChat = endpoint({
  method: 'GET',
  path: '/api/chat/search',
  auth: 'session',
  query: z.object({ q: z.string(), conversation: z.string().optional() }),
  response: searchResultSchema,
  docs: {
    tag: 'Chat',
    summary: 'Search your conversations',
    description: 'Texts with all words of `q`, in any script and case; `conversation` searches one of them.',
  },
  handle: ({ ctx, url: { searchParams: query } }) =>
    searchMessages({ ctx, input: { text: query.get('q') ?? '', conversationId: query.get('conversation') } }),
});

export const patchConversation = endpoint({
  method: 'PATCH',
  path: '/api/chat/conversations/:id',
  auth: 'session',
  body: renameConversationSchema,
  response: conversationViewSchema,
  docs: { tag: 'Chat', summary: 'Rename a conversation' },
  handle: ({ ctx, input, params: { id = '' } }) => renameConversation({ ctx, input: { ...input, id } }),
});

export const removeConversation = endpoint({
  method: 'DELETE',
  path: '/api/chat/conversations/:id',
  auth: 'session',
  docs: { tag: 'Chat', summary: 'Delete a conversation' },
  handle: async ({ ctx, params: { id = '' } }) => {
    await deleteConversation({ ctx, input: { id } });
    return undefined;
  },
});

/** One event per step of the conversation, each with a cursor for `Last-Event-ID` or `?after=`. */
export const getConversationEvents = endpoint({
  method: 'GET',
  path: '/api/chat/conversations/:id/events',
  query: z.object({ branch: z.string().optional(), after: z.string().optional() }),
  mediaType: 'text/event-stream',
  docs: { tag: 'Chat', summary: 'Follow a conversation' },
  serve: streamRoute({
    auth: 'session',
    handle: async ({ ctx, params: { id = '' }, url, request }) => {
      const after = request.headers.get('last-event-id') ?? url.searchParams.get('after');
      const thread = await followThread({ ctx, input: { id, branch: url.searchParams.get('branch'), after } });
      return EventStream.of({ batches: thread.updates, encode: eventOf, onCancel: thread.close });
    },
  }),
});

function eventOf({ cursor, update }: SeenUpdate): string {
  return encodeSse({ id: cursor, data: JSON.stringify(update) });
}
