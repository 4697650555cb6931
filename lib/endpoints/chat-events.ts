import { type FollowedThread, followThread } from '../chat';
import type { Endpoint } from '../http/endpoint';
import { jsonRoute } from '../http/json-route';
import { type SseEvent, sseResponse } from '../platform/sse';

/**
 * `GET /api/chat/conversations/{id}/events`: an event per step of the conversation, each with the cursor from which a reader
 * goes on by `Last-Event-ID` or `?after=`.
 */
export const getConversationEvents: Endpoint = jsonRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' }, url, request }) => {
    const after = request.headers.get('last-event-id') ?? url.searchParams.get('after');
    const thread = await followThread({ ctx, input: { id, after } });
    return sseResponse(eventsOf(thread), thread.leave);
  },
});

async function* eventsOf({ updates }: FollowedThread): AsyncGenerator<SseEvent[]> {
  for await (const batch of updates) {
    yield batch.map(({ cursor, update }) => ({ id: cursor, data: JSON.stringify(update) }));
  }
}
