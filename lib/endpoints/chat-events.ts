import { followThread, type SeenUpdate } from '../chat';
import type { StreamEndpoint } from '../http/endpoint';
import { streamRoute } from '../http/routes/stream-route';
import { EventStream } from '../http/sse/event-stream';
import { encodeSse } from '../platform/sse';

/**
 * `GET /api/chat/conversations/{id}/events`: an event per step of the conversation, each with the cursor from which a reader
 * goes on by `Last-Event-ID` or `?after=`.
 */
export const getConversationEvents: StreamEndpoint = streamRoute({
  auth: 'session',
  handle: async ({ ctx, params: { id = '' }, url, request }) => {
    const after = request.headers.get('last-event-id') ?? url.searchParams.get('after');
    const thread = await followThread({ ctx, input: { id, branch: url.searchParams.get('branch'), after } });
    return EventStream.of({ batches: thread.updates, encode: eventOf, onCancel: thread.close });
  },
});

function eventOf({ cursor, update }: SeenUpdate): string {
  return encodeSse({ id: cursor, data: JSON.stringify(update) });
}
