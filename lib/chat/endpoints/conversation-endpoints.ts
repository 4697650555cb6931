import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { requiredText, streamRoute } from '../../http/routes/json-route';
import { EventStream } from '../../http/sse';
import { encodeSse } from '../../platform/http-client/sse';
import { pageOf } from '../../platform/schema';
import { answerDelegatedTask, decideApproval, getChain, getSentFile, stopChain } from '../../tasks';
import {
  answerChainTaskSchema,
  type ChainView,
  chainViewSchema,
  decideApprovalSchema,
  sentFileSchema,
} from '../../tasks/schema-chains';
import {
  changeConversation,
  deleteConversation,
  followThread,
  getThread,
  listConversations,
  type SeenUpdate,
  searchMessages,
} from '..';
import { changeConversationSchema, conversationViewSchema, searchResultSchema } from '../schema';
import { threadViewSchema } from '../schema-thread';

export const getConversations = endpoint({
  method: 'GET',
  path: '/api/chat/conversations',
  auth: 'session',
  query: z.object({
    q: z.string().optional(),
    archived: z.enum(['true', 'false']).optional(),
    deleted: z.enum(['true', 'false']).optional(),
    cursor: z.string().optional(),
  }),
  response: pageOf(conversationViewSchema),
  docs: {
    tag: 'Chat',
    summary: 'List your conversations',
    description:
      'Pinned ones first, then the latest; `q` searches their titles. Archived ones only with `archived=true`, deleted ones only with `deleted=true`.',
  },
  handle: ({ ctx, query: { q, archived, deleted, cursor } }) =>
    listConversations({
      ctx,
      input: { search: q, archived: archived === 'true', deleted: deleted === 'true', cursor },
    }),
});

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/chat/conversations/:id',
  auth: 'chat',
  query: z.object({ branch: z.string().optional(), before: z.string().optional(), at: z.string().optional() }),
  response: threadViewSchema,
  docs: {
    tag: 'Chat',
    summary: 'Get a conversation',
    description: 'The latest tasks of one branch. `before` returns the tasks before a task, `at` all tasks from it on.',
  },
  handle: ({ ctx, query, params: { id = '' } }) => getThread({ ctx, input: { ...query, id } }),
});

export const searchChat = endpoint({
  method: 'GET',
  path: '/api/chat/search',
  auth: 'session',
  query: z.object({ q: requiredText, conversation: z.string().optional() }),
  response: searchResultSchema,
  docs: {
    tag: 'Chat',
    summary: 'Search your conversations',
    description:
      'Finds messages that contain all words of `q`, in any script and case. `conversation` limits the search to one conversation.',
  },
  handle: ({ ctx, query: { q, conversation } }) =>
    searchMessages({ ctx, input: { text: q, conversationId: conversation } }),
});

export const patchConversation = endpoint({
  method: 'PATCH',
  path: '/api/chat/conversations/:id',
  auth: 'session',
  body: changeConversationSchema,
  response: conversationViewSchema,
  docs: {
    tag: 'Chat',
    summary: 'Rename, pin, archive or restore a conversation',
    description: 'Sending a message in an archived conversation unarchives it.',
  },
  handle: ({ ctx, input, params: { id = '' } }) => changeConversation({ ctx, input: { ...input, id } }),
});

export const removeConversation = endpoint({
  method: 'DELETE',
  path: '/api/chat/conversations/:id',
  auth: 'session',
  docs: {
    tag: 'Chat',
    summary: 'Delete a conversation',
    description:
      'It can be restored until `erasedAt` of the list of deleted ones. Then its messages, answers, logs, links and feedback are erased. Orders and mandates remain, as evidence of payments; the agent keeps what it was sent.',
  },
  handle: async ({ ctx, params: { id = '' } }) => {
    await deleteConversation({ ctx, input: { id } });
    return undefined;
  },
});

/**
 * Streams one event per step of the conversation, each with a cursor for `Last-Event-ID` or `?after=`. Events of type
 * `chain` are chains of its tasks that changed.
 */
export const getConversationEvents = endpoint({
  method: 'GET',
  path: '/api/chat/conversations/:id/events',
  mediaType: 'text/event-stream',
  docs: { tag: 'Chat', summary: 'Stream a conversation' },
  serve: streamRoute({
    auth: 'chat',
    query: z.object({ branch: z.string().optional(), after: z.string().optional() }),
    handle: async ({ ctx, query, params: { id = '' }, request }) => {
      const after = request.headers.get('last-event-id') ?? query.after ?? null;
      const thread = await followThread({ ctx, input: { id, branch: query.branch, after } });
      return EventStream.of({ batches: thread.updates, encode: eventOf, onCancel: thread.close });
    },
  }),
});

function eventOf(item: SeenUpdate | ChainView): string {
  if ('rootTaskId' in item) return encodeSse({ event: 'chain', data: JSON.stringify(item) });
  return encodeSse({ id: item.cursor, data: JSON.stringify(item.update) });
}

export const getTaskChain = endpoint({
  method: 'GET',
  path: '/api/chat/chains/:id',
  auth: 'session',
  response: chainViewSchema,
  docs: {
    tag: 'Chat',
    summary: 'Get the agent calls made for a task',
    description: 'The calls that the task’s agent, and the agents it called, made on your behalf.',
  },
  handle: ({ ctx, params: { id = '' } }) => getChain({ ctx, input: { rootTaskId: id } }),
});

export const stopTaskChain = endpoint({
  method: 'POST',
  path: '/api/chat/chains/:id/stop',
  auth: 'session',
  response: z.object({ canceled: z.int() }),
  status: 202,
  docs: { tag: 'Chat', summary: 'Stop a task and all agent calls made for it' },
  handle: async ({ ctx, params: { id = '' } }) =>
    jsonResponse(await stopChain({ ctx, input: { rootTaskId: id } }), { status: 202 }),
});

export const decideChainApproval = endpoint({
  method: 'POST',
  path: '/api/chat/chains/:id/approvals/:approval',
  auth: 'session',
  body: decideApprovalSchema,
  response: chainViewSchema,
  errors: ['conflict'],
  docs: { tag: 'Chat', summary: 'Allow or deny a call to another agent' },
  handle: ({ ctx, input, params: { id = '', approval = '' } }) =>
    decideApproval({ ctx, input: { ...input, rootTaskId: id, approvalId: approval } }),
});

export const getChainSentFile = endpoint({
  method: 'GET',
  path: '/api/chat/chains/:id/approvals/:approval/files/:part',
  auth: 'session',
  response: sentFileSchema,
  docs: {
    tag: 'Chat',
    summary: 'Get a file of a call that waits for approval',
    description: '`part` is the index of the file in `parts` of the approval. The bytes are those that would be sent.',
  },
  handle: ({ ctx, params: { id = '', approval = '', part = '' } }) =>
    getSentFile({ ctx, input: { rootTaskId: id, approvalId: approval, part } }),
});

export const postChainTaskMessage = endpoint({
  method: 'POST',
  path: '/api/chat/chains/:id/tasks/:task/messages',
  auth: 'session',
  body: answerChainTaskSchema,
  response: z.object({ taskId: z.string() }),
  status: 202,
  errors: ['task_not_found', 'task_busy', 'unsupported_operation'],
  docs: { tag: 'Chat', summary: 'Reply to an agent that another agent called' },
  handle: async ({ ctx, input, params: { id = '', task = '' } }) =>
    jsonResponse(await answerDelegatedTask({ ctx, input: { ...input, rootTaskId: id, taskId: task } }), {
      status: 202,
    }),
});
