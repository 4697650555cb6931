import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { PushReceiver } from '../fakes/push-receiver';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { connectTo, createPerson, listAgent, message10, post, readEvents, rpc, send } from '../support/fixtures';
import { type NatsServer, natsMissing, startNats } from '../support/nats-server';
import { type Parley, startParley } from '../support/parley';
import { waitFor } from '../support/wait-for';
import { auditLedger } from '../unit/payments/order-fixture';
import { listHubAgent } from './hub-fixture';
import { buy, type OwnPaymentsFixture, offerOf, startPaymentsFixture } from './payments-fixture';

let nats: NatsServer;
let observer: NatsConnection;
const subjects: string[] = [];
let fixture: OwnPaymentsFixture;
let two: Parley;

const env = (): Record<string, string> => ({
  AGENT_URL_ALLOW: 'http://127.0.0.1:*',
  LOG_LEVEL: 'info',
  NOTICES_URL: nats.url,
});

async function isOverNats({ url }: Parley): Promise<boolean> {
  const response = await fetch(`${url}/readyz`);
  return ((await response.json()) as { notices?: { over: string } }).notices?.over === 'nats';
}

function publishedKeys(topic: string): string[] {
  return subjects.flatMap((subject) => (subject.split('.')[2] === topic ? [subject.split('.')[3] ?? ''] : []));
}

describe.skipIf(natsMissing)('a Parley installation with NATS', () => {
  beforeAll(async () => {
    nats = await startNats();
    observer = await connect({ servers: `127.0.0.1:${nats.port}` });
    observer.subscribe('>', { callback: (_error, message) => void subjects.push(message.subject) });
    await observer.flush();
    fixture = await startPaymentsFixture(env());
    two = await startParley({ env: { ...env(), APP_URL: fixture.url } });
    for (const node of [fixture.parley, two])
      await waitFor(() => isOverNats(node), { what: 'NATS to carry notifications' });
  });

  afterAll(async () => {
    await observer?.close();
    await two?.stop();
    await fixture?.close();
    await nats?.stop();
  });

  test('applies a revocation on the other node while NATS is silent', async () => {
    const person = await createPerson(fixture.url, 'Pat');
    const statusAt = async (url: string): Promise<number> =>
      (await send(`${url}/api/apps`, { bearer: person.accessToken })).status;
    expect(await statusAt(two.url)).toBe(200);
    nats.signal('SIGSTOP');
    const session = { cookie: person.cookie, origin: fixture.url };
    const { items } = (await (await send(`${fixture.url}/api/auth/access-tokens`, session)).json()) as {
      items: { id: string }[];
    };
    const { status } = await send(`${fixture.url}/api/auth/access-tokens/${items[0]?.id}`, {
      method: 'DELETE',
      ...session,
    });
    expect(status).toBe(204);
    await expect.poll(() => statusAt(two.url), { timeout: 1_000, interval: 10 }).toBe(401);
    nats.signal('SIGCONT');
    await waitFor(() => isOverNats(two), { what: 'NATS to be back' });
  });

  test('gives a worker on one node the task of a caller on the other', async () => {
    const agent = await listHubAgent(fixture.parley);
    const worker = await agent.worker();
    worker.onStart = (run) => run.status('COMPLETED', 'heard');
    const caller = { ...agent.caller, url: agent.caller.url.replace(fixture.url, two.url) };
    const call = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: message10('hello') };
    const events = await readEvents(await post(caller, call));
    expect(JSON.stringify(events.at(-1)?.data)).toContain('TASK_STATE_COMPLETED');
    expect(publishedKeys('hub')).not.toHaveLength(0);
    await worker.close();
  });

  test('delivers pushes once and in order if they were requested on another node', async () => {
    const agent = await ScriptedAgent.start({ name: 'Pushes' });
    const receiver = await PushReceiver.start();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    agent.answer(async ({ result, end }) => {
      result(agent03.status('push', 'working'));
      await held;
      for (let at = 0; at < 5; at++) result(agent03.artifact('push', `${at};`, { append: at > 0 }));
      result(agent03.status('push', 'completed'));
      end();
    });
    const ada = await createPerson(fixture.url);
    const first = await connectTo(fixture.url, ada, await listAgent(fixture.url, ada, { url: agent.url }));
    const second = { ...first, url: first.url.replace(fixture.url, two.url) };
    const params = { ...message10('go'), configuration: { returnImmediately: true } };
    const { body } = await rpc(first, 'SendMessage', params);
    const { id } = (body.result as { task: { id: string } }).task;
    const path = `/${newUuid()}`;
    const config = await rpc(second, 'CreateTaskPushNotificationConfig', { taskId: id, url: `${receiver.url}${path}` });
    expect(config.body.error).toBeUndefined();
    release();
    await waitFor(() => JSON.stringify(receiver.on(path).at(-1)?.body ?? '').includes('TASK_STATE_COMPLETED'), {
      what: 'the last push',
    });
    const texts = receiver.on(path).map(({ body }) => /"text":"(\d);"/.exec(JSON.stringify(body))?.[1]);
    expect(texts.filter(Boolean)).toEqual(['0', '1', '2', '3', '4']);
    await agent.stop();
    await receiver.stop();
  });

  test('pays an approved order, and publishes each of its changes after the commit', async () => {
    const filled = await fixture.buyer.call('/api/wallet/top-ups', { body: { currency: 'EUR', amount: 50_000 } });
    expect(filled.status).toBe(200);
    const order = await offerOf(fixture);
    await buy(fixture.buyer, order, 'captured');
    await auditLedger();
    expect(publishedKeys('order').filter((key) => key === order.id).length).toBeGreaterThan(2);
  });

  test('publishes only notifications for readers, under one prefix per database', async () => {
    const topics = new Set(subjects.map((subject) => subject.split('.')[2]));
    expect(
      [...topics].filter((topic) => !['task', 'context', 'push', 'hub', 'order', 'test'].includes(topic ?? '')),
    ).toEqual([]);
    expect(new Set(subjects.map((subject) => subject.split('.', 2).join('.'))).size).toBe(1);
  });
});

describe.skipIf(natsMissing)('a node whose credentials NATS rejects', () => {
  test('reports this once without the credentials, and uses database notifications', async () => {
    const guarded = await startNats('authorization { user: parley, password: right }');
    const node = await startParley({
      env: { NOTICES_URL: `nats://parley:wrong-secret@127.0.0.1:${guarded.port}` },
    });
    try {
      await waitFor(() => node.output().includes('notices.nats_unavailable'), { what: 'the line' });
      const line =
        node
          .output()
          .split('\n')
          .find((text) => text.includes('notices.nats_unavailable')) ?? '{}';
      expect(JSON.parse(line)).toMatchObject({
        level: 'warn',
        servers: `127.0.0.1:${guarded.port}`,
        reason: expect.stringMatching(/authorization/i),
      });
      expect(node.output()).not.toContain('wrong-secret');
      const response = await fetch(`${node.url}/readyz`);
      expect([response.status, await response.json()]).toMatchObject([
        200,
        { notices: { over: 'postgresql', reason: 'NATS is unavailable' } },
      ]);
    } finally {
      await node.stop();
      await guarded.stop();
    }
  });
});
