import type { WebPushDeviceView, WebPushView } from '@/lib/notifications/schema';
import * as agent03 from '../fakes/a2a03';
import { PushService, type SubscribedBrowser } from '../fakes/push-service';
import { type Exchange, ScriptedAgent } from '../fakes/scripted-agent';
import { ChatClient } from '../http/chat-fixture';
import { createPerson, listAgent, type Person } from '../support/fixtures';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';

/** An agent that asks what the user says, and a push service. */
export interface WebPushFixture {
  url: string;
  service: PushService;
  agent: ScriptedAgent;
  owner: Person;
  slug: string;
  close(): Promise<void>;
}

export async function createWebPushFixture(url: string): Promise<WebPushFixture> {
  const service = await PushService.start();
  const agent = await ScriptedAgent.start({ name: 'Asker' });
  const owner = await createPerson(url, 'Olga');
  const slug = await listAgent(url, owner, { url: agent.url });
  const close = async (): Promise<void> => {
    await Promise.all([service.stop(), agent.stop()]);
  };
  return { url, service, agent, owner, slug, close };
}

/** Makes the agent answer every message with a question. */
export function askBack(agent: ScriptedAgent, question: string): void {
  agent.answer(({ received, result, end }) => {
    result(agent03.status(received.params.message?.messageId ?? '', 'input-required', question));
    end();
  });
}

/** Makes the agent work until the returned function is called with its last status. */
export function work(agent: ScriptedAgent): (state: string, text?: string) => Promise<void> {
  let running: Exchange | null = null;
  agent.answer(async (call) => {
    running = call;
    call.result(agent03.status(call.received.params.message?.messageId ?? '', 'working'));
    await call.gone;
  });
  return async (state, text) => {
    const call = await waitFor(() => running, { what: 'the call of the agent' });
    call.result(agent03.status(call.received.params.message?.messageId ?? '', state, text));
    call.end();
  };
}

/** A user with a browser that receives notifications. */
export interface Reader {
  client: ChatClient;
  browser: SubscribedBrowser;
  device: WebPushDeviceView;
}

export async function createReader({ url, service }: WebPushFixture, name = 'Rita'): Promise<Reader> {
  const client = new ChatClient(url, await createPerson(url, name));
  return { client, ...(await subscribe(client, service)) };
}

export async function subscribe(client: ChatClient, service: PushService): Promise<Omit<Reader, 'client'>> {
  const browser = service.subscribe();
  const response = await client.call('/api/web-push/devices', { body: browser.subscription });
  if (response.status !== 201) throw new Error(`subscribe: ${response.status} ${await response.text()}`);
  return { browser, device: (await response.json()) as WebPushDeviceView };
}

export async function settingsOf(client: ChatClient): Promise<WebPushView> {
  return (await (await client.call('/api/web-push')).json()) as WebPushView;
}

export async function set(client: ChatClient, settings: object): Promise<void> {
  const response = await client.call('/api/web-push', { method: 'PUT', body: settings });
  if (response.status !== 204) throw new Error(`settings: ${response.status} ${await response.text()}`);
}

interface StoredDelivery {
  event: string;
  kind: string;
  outcome: string | null;
  attempts: number;
  due_at: Date;
}

/** The deliveries to a device. */
export function deliveriesTo({ id }: Pick<WebPushDeviceView, 'id'>): Promise<StoredDelivery[]> {
  const statement =
    'SELECT event, kind, outcome, attempts, due_at FROM web_push_delivery WHERE device_id = $1 ORDER BY at';
  return query<StoredDelivery>('test-web-push-deliveries', statement, [id]);
}

/** The outcomes of the first `count` deliveries to a device, once there are as many. */
export async function outcomesOf(device: Pick<WebPushDeviceView, 'id'>, count = 1): Promise<string[]> {
  return waitFor(
    async () => {
      const outcomes = (await deliveriesTo(device)).flatMap(({ outcome }) => outcome ?? []);
      return outcomes.length >= count ? outcomes : null;
    },
    { what: `${count} finished deliveries` },
  );
}

/** Makes a task as old as if it had started `ms` milliseconds ago. */
export async function startEarlier(taskId: string, ms: number): Promise<void> {
  const statement = `UPDATE task SET created_at = created_at - $2::float8 * interval '1 ms' WHERE id = $1`;
  await query('test-start-earlier', statement, [taskId, ms]);
}
