import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChatClient } from '../http/chat-fixture';
import { createPerson } from '../support/fixtures';
import { type Parley, startParley } from '../support/parley';
import { query } from '../support/sql';
import { waitFor } from '../support/wait-for';
import { OwnAccount } from './account-fixture';
import {
  askBack,
  createReader,
  createWebPushFixture,
  outcomesOf,
  set,
  subscribe,
  type WebPushFixture,
} from './web-push-fixture';

describe('a Parley server', () => {
  let parley: Parley;
  let fixture: WebPushFixture;
  beforeAll(async () => {
    parley = await startParley({ env: { AGENT_URL_ALLOW: 'http://127.0.0.1:*' } });
    fixture = await createWebPushFixture(parley.url);
  });
  afterAll(async () => {
    await fixture?.close();
    await parley?.stop();
  });

  test('sends a message once, after it is killed and restarted', async () => {
    const reader = await createReader(fixture);
    askBack(fixture.agent, 'Which city?');
    const { taskId } = await reader.client.say({ agentSlug: fixture.slug, text: 'Book a table' });
    const state = 'SELECT state FROM task WHERE id = $1';
    await waitFor(
      async () => (await query<{ state: string }>('test-task-state', state, [taskId]))[0]?.state === 'input-required',
      { what: 'the question' },
    );
    await parley.kill('SIGKILL');
    expect(reader.browser.requests).toEqual([]);
    await parley.restart();
    const message = await waitFor(() => reader.browser.messages()[0], { what: 'the message', timeout: 20_000 });
    expect(message.url).toContain(taskId);
    expect(await outcomesOf(reader.device)).toEqual(['sent']);
    expect(reader.browser.requests).toHaveLength(1);
  });

  test('includes devices and settings, without keys, in an account’s export, and erases them with the account', async () => {
    const person = await createPerson(parley.url, 'Eva');
    const client = new ChatClient(parley.url, person);
    const { browser, device } = await subscribe(client, fixture.service);
    await set(client, { kinds: { payment: false } });
    const account = new OwnAccount(parley.url, person);
    const text = await account.export();
    expect(JSON.parse(text).webPush).toMatchObject({ devices: [{ id: device.id }], showsContent: false });
    const { endpoint, keys } = browser.subscription;
    for (const secret of [endpoint, keys.auth, keys.p256dh]) expect(text).not.toContain(secret);
    await query('test-delete-user', 'DELETE FROM "user" WHERE id = $1', [person.userId]);
    for (const table of ['web_push_device', 'web_push_setting', 'web_push_seen']) {
      const left = await query(`test-left-${table}`, `SELECT FROM ${table} WHERE user_id = $1`, [person.userId]);
      expect(left, table).toEqual([]);
    }
  });
});
