import { cancelConversationTask, getHttpTrace, postMessage } from '../chat';
import { cancelTaskSchema, postMessageSchema } from '../chat/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `POST /api/chat/messages`: 202 once the message is on disk; the answer comes through the conversation's events. */
export const postChatMessage: Endpoint = jsonRoute({
  auth: 'session',
  body: postMessageSchema,
  handle: async ({ ctx, input }) => Response.json(await postMessage({ ctx, input }), { status: 202 }),
});

/** `POST /api/chat/tasks/{id}/cancel` */
export const cancelChatTask: Endpoint = jsonRoute({
  auth: 'session',
  body: cancelTaskSchema,
  handle: ({ ctx, input, params: { id = '' } }) => cancelConversationTask({ ctx, input: { ...input, taskId: id } }),
});

/** `GET /api/chat/tasks/{id}/wire?conversation=`: what went between Parley and the agent. */
export const getTaskWire: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, params: { id = '' }, url }) =>
    getHttpTrace({ ctx, input: { conversationId: url.searchParams.get('conversation') ?? '', taskId: id } }),
});
