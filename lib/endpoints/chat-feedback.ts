import { getFeedbackCounts, giveFeedback, withdrawFeedback } from '../chat';
import { giveFeedbackSchema } from '../chat/schema';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/routes/json-route';

/** `PUT /api/chat/tasks/{id}/feedback/{seq}`: what the person thinks of the answer that begins with that event. */
export const putFeedback: Endpoint = jsonRoute({
  auth: 'session',
  body: giveFeedbackSchema,
  handle: ({ ctx, input, params: { id = '', seq = '' } }) =>
    giveFeedback({ ctx, input: { ...input, taskId: id, seq: toSeq(seq) } }),
});

/** `DELETE /api/chat/tasks/{id}/feedback/{seq}?conversation=` */
export const removeFeedback: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '', seq = '' }, url }) => {
    const conversationId = url.searchParams.get('conversation') ?? '';
    await withdrawFeedback({ ctx, input: { conversationId, taskId: id, seq: toSeq(seq) } });
    return undefined;
  },
});

/** `GET /api/agents/{slug}/feedback`: for the agent's owner. */
export const getAgentFeedback: Endpoint = jsonRoute({
  auth: 'session',
  handle: ({ ctx, params: { slug = '' } }) => getFeedbackCounts({ ctx, input: { slug } }),
});

/** No task has an event 0. */
function toSeq(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
