import type { ThreadUpdate, ThreadView } from '@/lib/chat/schema-thread';
import { newUuid } from '@/lib/platform/ids';
import { type Person, send, type WireEvent } from '../support/fixtures';

/** The chat API as one user's browser uses it. */
export class ChatClient {
  constructor(
    readonly url: string,
    readonly person: Person,
    /** The origin of the pages, if it is not this node. */
    readonly origin = url,
  ) {}

  call(
    path: string,
    call: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    return send(`${this.url}${path}`, { ...call, cookie: this.person.cookie, origin: this.origin });
  }

  post(message: object): Promise<Response> {
    return this.call('/api/chat/messages', { body: { messageId: newUuid(), text: 'Hello', ...message } });
  }

  /** Posts and expects success. */
  async say(message: object): Promise<{ conversationId: string; taskId: string }> {
    const response = await this.post(message);
    if (response.status !== 202) throw new Error(`post: ${response.status} ${await response.text()}`);
    return (await response.json()) as { conversationId: string; taskId: string };
  }

  async thread(id: string): Promise<ThreadView> {
    const response = await this.call(`/api/chat/conversations/${id}`);
    if (response.status !== 200) throw new Error(`thread: ${response.status} ${await response.text()}`);
    return (await response.json()) as ThreadView;
  }

  /** The stream of updates, by `?after=` or by `Last-Event-ID`. */
  events(id: string, { after, lastEventId }: { after?: string; lastEventId?: string } = {}): Promise<Response> {
    const query = after === undefined ? '' : `?${new URLSearchParams({ after })}`;
    return this.call(`/api/chat/conversations/${id}/events${query}`, {
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    });
  }

  cancel(taskId: string, conversationId: string): Promise<Response> {
    return this.call(`/api/chat/tasks/${taskId}/cancel`, { body: { conversationId } });
  }

  async titles(query = ''): Promise<string[]> {
    const response = await this.call(`/api/chat/conversations${query}`);
    return ((await response.json()) as { items: { title: string }[] }).items.map(({ title }) => title);
  }
}

/** Every step of the stream so far, with its task and numbers. */
export function stepsOf(events: WireEvent[]): { taskId: string; seq: number; from: number; type: string }[] {
  return events.flatMap(({ data }) => {
    const { taskId, events: steps } = data as ThreadUpdate;
    return steps.map(({ seq, from = seq, event }) => ({ taskId, seq, from, type: event.type }));
  });
}

/** The text of all artifact chunks in these steps. */
export function textIn(updates: Pick<ThreadUpdate, 'events'>[]): string {
  return updates
    .flatMap(({ events }) => events)
    .flatMap(({ event }) => (event.type === 'artifact' ? event.artifact.parts : []))
    .map((part) => (part.kind === 'text' ? part.text : ''))
    .join('');
}

/** True when the task's last event has arrived. */
export function isFinished(events: WireEvent[], taskId: string): boolean {
  return events.some(({ data }) => {
    const update = data as ThreadUpdate;
    return (
      update.taskId === taskId &&
      update.events.some(
        ({ event }) => event.type === 'status' && ['completed', 'failed', 'canceled'].includes(event.status.state),
      )
    );
  });
}
