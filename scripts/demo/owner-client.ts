import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostedMessage } from '@/lib/chat/schema';
import type { ThreadView } from '@/lib/chat/schema-thread';
import type { OrderPage, OrderView } from '@/lib/payments/schema';
import type { ReviewView } from '@/lib/payments/schema-approvals';
import type { ChainView } from '@/lib/tasks/schema-chains';

const POLL_MS = 250;
/** Maximum time for the reply to one message, and for a payment. */
const REPLY_MS = 60_000;
/** Maximum time for the sign-out, which may delay the end of the process. */
const SIGN_OUT_MS = 2_000;

const signOutPath = '/api/auth/sign-out';

interface Content {
  body?: object;
  headers?: Record<string, string>;
}

/** A signed-in user's client of Parley's API. Every method but `signOut` rejects if `signal` aborts. */
export class OwnerClient {
  private constructor(
    private readonly origin: string,
    private readonly cookie: string,
    readonly signal: AbortSignal,
  ) {}

  /** @throws {Error} if the server cannot be reached, or refuses the password */
  static async signIn(
    origin: string,
    account: { email: string; password: string },
    signal: AbortSignal,
  ): Promise<OwnerClient> {
    const client = new OwnerClient(origin, '', signal);
    const response = await client.fetch('POST', '/api/auth/local', { body: account });
    const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0];
    if (!cookie) throw new Error('the sign-in set no cookie');
    return new OwnerClient(origin, cookie, signal);
  }

  /** Ends the session, also after `signal` aborted. @throws {Error} if the server cannot be reached in time */
  async signOut(): Promise<void> {
    await new OwnerClient(this.origin, this.cookie, AbortSignal.timeout(SIGN_OUT_MS)).fetch('POST', signOutPath);
  }

  /** Returns the JSON of the response. @throws {Error} with status and body for any other status than 2xx */
  async call<Body>(method: string, path: string, content: Content = {}): Promise<Body> {
    const response = await this.fetch(method, path, content);
    const text = await response.text();
    return text === '' ? (undefined as Body) : (JSON.parse(text) as Body);
  }

  /** Sends a message, in a new conversation with the agent or as the reply to a question. */
  send(
    message: { text: string; agentSlug: string } | { text: string; conversationId: string; taskId: string },
  ): Promise<PostedMessage & { messageId: string }> {
    const messageId = randomUUID();
    const sent = this.call<PostedMessage>('POST', '/api/chat/messages', { body: { messageId, ...message } });
    return sent.then((posted) => ({ ...posted, messageId }));
  }

  /**
   * Waits for the reply to a message, a question or the result, and allows the calls to other agents that it needs.
   * Returns its text.
   * @throws {Error} if the task ends otherwise, or there is no reply in time
   */
  replyTo({ conversationId, taskId, messageId }: PostedMessage & { messageId: string }): Promise<string> {
    return this.poll(async () => {
      const { tasks, chains } = await this.call<ThreadView>('GET', `/api/chat/conversations/${conversationId}`);
      for (const chain of chains) await this.allowCalls(chain);
      const events = tasks.find(({ id }) => id === taskId)?.events ?? [];
      return readReply(events, messageId);
    }, `a reply of the task ${taskId}`);
  }

  /**
   * Pays the cart of a task with test credits.
   * @throws {Error} if test credits cannot pay it
   */
  async payWithTestCredits(taskId: string): Promise<void> {
    const { id } = await this.poll(async () => this.verifiedOrderOf(taskId), 'a cart');
    const { approvalId, approval, methods } = await this.call<ReviewView>('POST', `/api/orders/${id}/review`);
    if (!methods.some(({ method, test, enough }) => method === 'wallet' && test && enough)) {
      throw new Error('test credits cannot pay this cart');
    }
    const { amount, currency } = approval;
    const body = { approvalId, amount, currency, method: 'wallet' };
    const headers = { 'idempotency-key': randomUUID() };
    await this.call('POST', `/api/orders/${id}/approve`, { body, headers });
  }

  /** Waits until a task is completed. */
  async untilCompleted({ conversationId, taskId }: PostedMessage): Promise<void> {
    await this.poll(async () => {
      const { tasks } = await this.call<ThreadView>('GET', `/api/chat/conversations/${conversationId}`);
      const events = tasks.find(({ id }) => id === taskId)?.events ?? [];
      return events.some(({ event }) => event.type === 'status' && event.status.state === 'completed') || null;
    }, `the end of the task ${taskId}`);
  }

  private async verifiedOrderOf(taskId: string): Promise<OrderView | null> {
    const { items } = await this.call<OrderPage>('GET', `/api/orders?taskId=${taskId}`);
    return items.find(({ state }) => state === 'verified') ?? null;
  }

  private async allowCalls({ rootTaskId, approvals }: ChainView): Promise<void> {
    for (const { id, contentHash } of approvals) {
      const body = { decision: 'allow', contentHash };
      await this.call('POST', `/api/chat/chains/${rootTaskId}/approvals/${id}`, { body });
    }
  }

  private async poll<Value>(read: () => Promise<Value | null>, what: string): Promise<Value> {
    const end = performance.now() + REPLY_MS;
    while (performance.now() < end) {
      const value = await read();
      if (value !== null) return value;
      await sleep(POLL_MS, undefined, { signal: this.signal });
    }
    throw new Error(`${what} did not arrive in ${REPLY_MS / 1000} seconds`);
  }

  private async fetch(method: string, path: string, { body, headers }: Content = {}): Promise<Response> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: {
        origin: this.origin,
        ...(this.cookie && { cookie: this.cookie }),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
      signal: this.signal,
    });
    if (response.ok) return response;
    throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  }
}

/** Returns the reply after a message; null before it is complete. */
function readReply(events: ThreadView['tasks'][number]['events'], messageId: string): string | null {
  const sentAt = events.findIndex(({ event }) => event.type === 'message' && event.message.messageId === messageId);
  const later = sentAt < 0 ? [] : events.slice(sentAt + 1).map(({ event }) => event);
  const texts = later.flatMap((event) => {
    const parts =
      event.type === 'status' ? event.status.message?.parts : event.type === 'artifact' ? event.artifact.parts : [];
    return (parts ?? []).map((part) => (part.kind === 'text' ? part.text : ''));
  });
  const state = later.findLast((event) => event.type === 'status')?.status.state;
  if (state === 'completed' || state === 'input-required') return texts.join('\n');
  if (state && ['failed', 'canceled', 'rejected'].includes(state)) throw new Error(`the task ended as ${state}`);
  return null;
}
