import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { jsonResponse } from '../../http/respond';
import { requiredText } from '../../http/routes/json-route';
import { taskStateSchema } from '../../tasks/schema';
import {
  cancelConversationTask,
  getFeedbackCounts,
  getHttpTrace,
  giveFeedback,
  postMessage,
  withdrawFeedback,
} from '..';
import { cancelTaskSchema, postedMessageSchema, postMessageSchema } from '../schema';
import { feedbackCountsSchema, feedbackViewSchema, giveFeedbackSchema, httpTraceViewSchema } from '../schema-thread';

/** Responds with 202 when the message is stored. The agent's answer arrives through the conversation's events. */
export const postChatMessage = endpoint({
  method: 'POST',
  path: '/api/chat/messages',
  auth: 'chat',
  body: postMessageSchema,
  response: postedMessageSchema,
  status: 202,
  errors: ['invalid_target', 'too_many_tasks', 'guest_limit_reached'],
  docs: { tag: 'Chat', summary: 'Send a message' },
  handle: async ({ ctx, input }) => jsonResponse(await postMessage({ ctx, input }), { status: 202 }),
});

export const cancelChatTask = endpoint({
  method: 'POST',
  path: '/api/chat/tasks/:id/cancel',
  auth: 'chat',
  body: cancelTaskSchema,
  response: z.object({ state: taskStateSchema }),
  status: 202,
  docs: { tag: 'Chat', summary: 'Stop a task' },
  handle: ({ ctx, input, params: { id = '' } }) => cancelConversationTask({ ctx, input: { ...input, taskId: id } }),
});

export const getTaskHttpTrace = endpoint({
  method: 'GET',
  path: '/api/chat/tasks/:id/wire',
  auth: 'chat',
  query: z.object({ conversation: requiredText }),
  response: httpTraceViewSchema,
  errors: ['task_not_found'],
  docs: { tag: 'Chat', summary: 'Get the request log of a task' },
  handle: ({ ctx, query, params: { id = '' } }) =>
    getHttpTrace({ ctx, input: { conversationId: query.conversation, taskId: id } }),
});

/** Stores feedback. `seq` is the first event of the message to which the feedback refers. */
export const putFeedback = endpoint({
  method: 'PUT',
  path: '/api/chat/tasks/:id/feedback/:seq',
  auth: 'session',
  body: giveFeedbackSchema,
  response: feedbackViewSchema,
  docs: { tag: 'Chat', summary: 'Rate an answer' },
  handle: ({ ctx, input, params: { id = '', seq = '' } }) =>
    giveFeedback({ ctx, input: { ...input, taskId: id, seq: toSeq(seq) } }),
});

export const removeFeedback = endpoint({
  method: 'DELETE',
  path: '/api/chat/tasks/:id/feedback/:seq',
  auth: 'session',
  query: z.object({ conversation: requiredText }),
  docs: { tag: 'Chat', summary: 'Remove feedback' },
  handle: async ({ ctx, query, params: { id = '', seq = '' } }) => {
    await withdrawFeedback({ ctx, input: { conversationId: query.conversation, taskId: id, seq: toSeq(seq) } });
    return undefined;
  },
});

export const getAgentFeedback = endpoint({
  method: 'GET',
  path: '/api/agents/:slug/feedback',
  auth: 'session',
  response: feedbackCountsSchema,
  docs: { tag: 'Agents', summary: 'Get feedback counts for your agent' },
  handle: ({ ctx, params: { slug = '' } }) => getFeedbackCounts({ ctx, input: { slug } }),
});

/** Returns the number, or 0, which no event has, if the text is not a number. */
function toSeq(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
