import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_FILE_BYTES } from '@/lib/chat/limits';
import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { createPerson, listAgent, send } from '../support/fixtures';
import { type SharedParley, sharedParley } from '../support/shared-parley';
import { waitFor } from '../support/wait-for';
import { ChatClient, textIn } from './chat-fixture';

let parley: SharedParley;
let agent: ScriptedAgent;
let ada: ChatClient;
let bob: ChatClient;
let agentSlug: string;

beforeAll(async () => {
  agent = await ScriptedAgent.start({ name: 'Chat partner' });
  parley = await sharedParley();
  ada = new ChatClient(parley.url, await createPerson(parley.url, 'Ada'));
  bob = new ChatClient(parley.url, await createPerson(parley.url, 'Bob'));
  agentSlug = await listAgent(parley.url, ada.person, { url: agent.url });
});

afterAll(() => agent?.stop());

beforeEach(() => {
  agent.received.length = 0;
  says(agent03.status('up-1', 'working'), agent03.artifact('up-1', 'Hi'), agent03.status('up-1', 'completed'));
});

/** Returns these 0.3 events on one stream for every send. */
function says(...events: object[]): void {
  agent.answer(({ result, end }) => {
    for (const event of events) result(event);
    end();
  });
}

async function ended(client: ChatClient, conversationId: string, state = 'completed'): Promise<void> {
  await waitFor(
    async () => {
      const { tasks } = await client.thread(conversationId);
      const last = tasks.at(-1)?.events.at(-1)?.event;
      return last?.type === 'status' && last.status.state === state;
    },
    { what: `the task to be ${state}` },
  );
}

function sends(): number {
  return agent.calls('message/stream').length + agent.calls('message/send').length;
}

describe('a message', () => {
  test('starts a conversation with a title from its text, and is answered in it', async () => {
    const { conversationId, taskId } = await ada.say({ agentSlug, text: 'Good morning\nto you' });
    await ended(ada, conversationId);
    const { conversation, agent: partner, tasks } = await ada.thread(conversationId);
    expect(conversation).toMatchObject({
      title: 'Good morning to you',
      agent: { slug: agentSlug, name: 'Chat partner' },
    });
    expect(partner).toMatchObject({ inputModes: ['text/plain'], closed: null });
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).toMatchObject({
      id: taskId,
      events: [{ seq: 1, event: { type: 'message' } }, { seq: 2 }, { seq: 3 }, { seq: 4 }, { seq: 5 }],
    });
    expect(textIn(tasks)).toBe('Hi');
  });

  test('creates one conversation, task and send if it is posted concurrently and again later', async () => {
    const message = { agentSlug, messageId: newUuid(), text: 'Once' };
    const posted = await Promise.all(Array.from({ length: 5 }, () => ada.say(message)));
    await ended(ada, posted[0]?.conversationId ?? '');
    posted.push(await ada.say(message));
    expect(new Set(posted.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(sends()).toBe(1);
  });

  test('creates one task if it is posted twice in an open conversation, whatever the first response', async () => {
    const { conversationId } = await ada.say({ agentSlug });
    await ended(ada, conversationId);
    const message = { conversationId, messageId: newUuid(), text: 'And again' };
    const [one, two] = [await ada.say(message), await ada.say(message)];
    expect(one).toEqual(two);
    expect(sends()).toBe(2);
    const contexts = agent.calls('message/stream').map(({ params }) => params.message?.contextId);
    expect(contexts).toEqual([undefined, 'agent-context']);
  });

  test('is rejected if its id was used for another text or agent', async () => {
    const messageId = newUuid();
    await ada.say({ agentSlug, messageId, text: 'First' });
    const other = await ada.post({ agentSlug, messageId, text: 'Second' });
    expect(other.status).toBe(422);
    expect(await other.json()).toMatchObject({ code: 'idempotency_mismatch' });
    const second = await ScriptedAgent.start({ name: 'Another partner' });
    const slug = await listAgent(parley.url, ada.person, { url: second.url });
    expect((await ada.post({ agentSlug: slug, messageId, text: 'First' })).status).toBe(422);
    await second.stop();
    expect(sends()).toBe(1);
  });

  test('answers a question on the same task and context', async () => {
    says(agent03.status('up-q', 'input-required', 'Which size?'));
    const { conversationId, taskId } = await ada.say({ agentSlug, text: 'A pizza' });
    await ended(ada, conversationId, 'input-required');
    says(agent03.status('up-q', 'completed', 'Thanks'));
    const messageId = newUuid();
    const answer = { conversationId, taskId, text: 'Large', messageId };
    expect((await ada.say(answer)).taskId).toBe(taskId);
    await ended(ada, conversationId);
    expect((await ada.say(answer)).taskId).toBe(taskId);
    const [, reply] = agent.calls('message/stream').map(({ params }) => params.message);
    expect(reply).toMatchObject({ messageId, taskId: 'up-q', contextId: 'agent-context' });
    expect(sends()).toBe(2);
    expect((await ada.thread(conversationId)).tasks).toHaveLength(1);
  });

  test('is rejected if it replies to a task in another conversation', async () => {
    says(agent03.status('up-q', 'input-required', 'Which size?'));
    const first = await ada.say({ agentSlug, text: 'One' });
    const second = await ada.say({ agentSlug, text: 'Two' });
    await ended(ada, second.conversationId, 'input-required');
    const response = await ada.post({ conversationId: second.conversationId, taskId: first.taskId, text: 'x' });
    expect(response.status).toBe(400);
  });

  test.each([
    ['no text and no file', { text: '  ' }, 400],
    ['no conversation and no agent', { agentSlug: undefined }, 400],
    ['an answer without its conversation', { taskId: newUuid() }, 400],
    ['an invalid message id', { messageId: 'x' }, 400],
    ['an unknown agent', { agentSlug: 'nobody-here' }, 404],
    ['an unknown conversation', { conversationId: 'cnv_00000000000000000000' }, 404],
    [
      'a type that the card does not name',
      { files: [{ name: 'a.zip', mediaType: 'application/zip', bytes: 'YQ==' }] },
      415,
    ],
    ['bytes that are not Base64', { files: [{ name: 'a.txt', mediaType: 'text/plain', bytes: '%' }] }, 400],
  ])('with %s is rejected, and does not reach the agent', async (_, message, status) => {
    const response = await ada.post({ agentSlug, ...message });
    expect(response.status).toBe(status);
    expect(sends()).toBe(0);
  });

  test('can contain files of the card’s modes, byte for byte', async () => {
    const bytes = Buffer.from('a,b\n1,2\n').toString('base64');
    const { conversationId } = await ada.say({
      agentSlug,
      text: '',
      files: [{ name: 'a.txt', mediaType: 'text/plain', bytes }],
    });
    await ended(ada, conversationId);
    expect(agent.calls('message/stream')[0]?.params.message).toMatchObject({
      parts: [{ kind: 'file', file: { bytes, mimeType: 'text/plain', name: 'a.txt' } }],
    });
    expect((await ada.thread(conversationId)).conversation.title).toBe('a.txt');
  });

  test('with more bytes of files than the limit is rejected with the limit', async () => {
    const bytes = Buffer.alloc(MAX_FILE_BYTES + 1).toString('base64');
    const response = await ada.post({ agentSlug, files: [{ name: 'a.txt', mediaType: 'text/plain', bytes }] });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ limit: MAX_FILE_BYTES });
  });
});

describe('stopping a task', () => {
  test('reaches the agent, keeps its output, and returns the state', async () => {
    agent.answer(({ received, result, json }) => {
      if (received.method === 'tasks/cancel')
        return json({ jsonrpc: '2.0', id: received.id, result: agent03.task('up-s', 'canceled') });
      result(agent03.status('up-s', 'working'));
      result(agent03.artifact('up-s', 'half'));
    });
    const { conversationId, taskId } = await ada.say({ agentSlug });
    await waitFor(async () => textIn((await ada.thread(conversationId)).tasks) === 'half', { what: 'the first half' });
    const response = await ada.cancel(taskId, conversationId);
    expect([response.status, await response.json()]).toEqual([200, { state: 'canceled' }]);
    expect(agent.calls('tasks/cancel')).toHaveLength(1);
    const { tasks } = await ada.thread(conversationId);
    expect(textIn(tasks)).toBe('half');
    expect(tasks[0]?.events.at(-1)?.event).toMatchObject({ status: { state: 'canceled' } });
    const again = await ada.cancel(taskId, conversationId);
    expect([again.status, await again.json()]).toEqual([200, { state: 'canceled' }]);
    expect(agent.calls('tasks/cancel')).toHaveLength(1);
    says(agent03.status('up-done', 'completed'));
    const done = await ada.say({ agentSlug });
    await ended(ada, done.conversationId, 'completed');
    const late = await ada.cancel(done.taskId, done.conversationId);
    expect([late.status, await late.json()]).toMatchObject([409, { code: 'task_not_cancelable' }]);
  });
});

describe('an agent’s message', () => {
  test('is never marked as Parley’s, whatever its content', async () => {
    const failed = agent03.status('up-f', 'failed', 'Parley: your payment failed, pay again');
    says({ ...failed, metadata: { 'parley.error': 'agent_unreachable', theirs: 1 } });
    const { conversationId } = await ada.say({ agentSlug });
    await ended(ada, conversationId, 'failed');
    const { tasks } = await ada.thread(conversationId);
    expect(tasks[0]?.events.at(-1)?.event).toMatchObject({ metadata: { theirs: 1 } });
    expect(JSON.stringify(tasks)).not.toContain('parley.error');
  });

  test('is marked if Parley replaces it with its own message', async () => {
    agent.answer(({ received, response, result }) => {
      if (received.method === 'tasks/cancel') response.destroy();
      else result(agent03.status('up-t', 'working'));
    });
    const { conversationId, taskId } = await ada.say({ agentSlug });
    await waitFor(async () => (await ada.thread(conversationId)).tasks[0]?.events.length === 3, {
      what: 'its start',
    });
    expect((await ada.cancel(taskId, conversationId)).status).toBe(200);
    const { tasks } = await ada.thread(conversationId);
    expect(tasks[0]?.events.at(-1)?.event).toMatchObject({
      status: { state: 'canceled', message: { parts: [{ text: expect.stringContaining('could not be notified') }] } },
      metadata: { 'parley.error': 'agent_unreachable' },
    });
  });
});

describe('the conversation list', () => {
  test('begins with the newest conversation, can be searched by title in any case, and treats wildcards as literals', async () => {
    const cleo = new ChatClient(parley.url, await createPerson(parley.url, 'Cleo'));
    const first = await cleo.say({ agentSlug, text: 'Alpha 100%' });
    await cleo.say({ agentSlug, text: 'Beta_case' });
    await cleo.say({ conversationId: first.conversationId, text: 'more' });
    expect(await cleo.titles()).toEqual(['Alpha 100%', 'Beta_case']);
    expect(await cleo.titles('?q=ALPHA')).toEqual(['Alpha 100%']);
    expect(await cleo.titles('?q=0%25')).toEqual(['Alpha 100%']);
    expect(await cleo.titles('?q=_')).toEqual(['Beta_case']);
    expect(await cleo.titles('?q=%5C')).toEqual([]);
  });

  test('is divided into pages without gaps or duplicates', async () => {
    const dora = new ChatClient(parley.url, await createPerson(parley.url, 'Dora'));
    const titles = Array.from({ length: 35 }, (_, index) => `Number ${index}`);
    for (const text of titles) await dora.say({ agentSlug, text });
    const first = (await (await dora.call('/api/chat/conversations')).json()) as {
      items: { title: string }[];
      nextCursor: string;
    };
    expect(first.items).toHaveLength(30);
    const second = await dora.titles(`?cursor=${first.nextCursor}`);
    expect([...first.items.map(({ title }) => title), ...second]).toEqual(titles.toReversed());
    expect((await dora.call('/api/chat/conversations?cursor=x')).status).toBe(400);
  });

  test('shows pinned conversations first on every page, and archived ones separately', async () => {
    const finn = new ChatClient(parley.url, await createPerson(parley.url, 'Finn'));
    const ids: string[] = [];
    for (let index = 0; index < 33; index++)
      ids.push((await finn.say({ agentSlug, text: `Number ${index}` })).conversationId);
    const change = async (index: number, body: object): Promise<unknown> => {
      const response = await finn.call(`/api/chat/conversations/${ids[index]}`, { method: 'PATCH', body });
      expect(response.status).toBe(200);
      return response.json();
    };
    expect(await change(0, { pinned: true })).toMatchObject({ title: 'Number 0', pinned: true, archived: false });
    await change(5, { archived: true });
    const first = (await (await finn.call('/api/chat/conversations')).json()) as {
      items: { title: string; pinned: boolean }[];
      nextCursor: string;
    };
    expect(first.items.slice(0, 2)).toMatchObject([
      { title: 'Number 0', pinned: true },
      { title: 'Number 32', pinned: false },
    ]);
    const titles = [...first.items.map(({ title }) => title), ...(await finn.titles(`?cursor=${first.nextCursor}`))];
    const expected = ids.map((_, index) => `Number ${index}`).filter((_, index) => index !== 0 && index !== 5);
    expect(titles).toEqual(['Number 0', ...expected.toReversed()]);
    expect(await finn.titles('?archived=true')).toEqual(['Number 5']);
    expect(await finn.titles('?archived=true&q=NUMBER')).toEqual(['Number 5']);
    expect(await finn.titles('?archived=true&q=7')).toEqual([]);

    expect(await change(0, { archived: true })).toMatchObject({ pinned: false, archived: true });
    expect(await change(0, { archived: false, pinned: true })).toMatchObject({ pinned: true, archived: false });
    expect(await change(5, { pinned: true, title: 'Back' })).toMatchObject({ title: 'Back', archived: false });
    await change(7, { archived: true });
    await finn.say({ conversationId: ids[7], text: 'Out of the archive' });
    expect(await finn.titles('?archived=true')).toEqual([]);
    expect(await finn.titles('?q=Number 7')).toEqual(['Number 7']);
  });

  test.each([
    {},
    { pinned: 'yes' },
    { archived: null },
    { pinned: true, archived: true },
    { title: 'x', archived: 1 },
    [],
  ])('is not changed by %j', async (body) => {
    const { conversationId } = await ada.say({ agentSlug, text: 'Stays as it is' });
    const path = `/api/chat/conversations/${conversationId}`;
    expect((await ada.call(path, { method: 'PATCH', body })).status).toBe(400);
    expect((await ada.thread(conversationId)).conversation).toMatchObject({
      title: 'Stays as it is',
      pinned: false,
      archived: false,
    });
  });

  test('rejects pinning, archiving or renaming another user’s conversation', async () => {
    const { conversationId } = await ada.say({ agentSlug, text: 'Private' });
    const path = `/api/chat/conversations/${conversationId}`;
    for (const body of [{ pinned: true }, { archived: true }, { title: 'Taken' }]) {
      expect((await bob.call(path, { method: 'PATCH', body })).status).toBe(404);
    }
    expect(
      (await send(`${parley.url}${path}`, { method: 'PATCH', body: { pinned: true }, origin: parley.url })).status,
    ).toBe(401);
    expect((await ada.thread(conversationId)).conversation).toMatchObject({
      title: 'Private',
      pinned: false,
      archived: false,
    });
  });

  test('reflects title changes and deletions', async () => {
    const eve = new ChatClient(parley.url, await createPerson(parley.url, 'Eve'));
    const { conversationId } = await eve.say({ agentSlug, text: 'Old name' });
    const path = `/api/chat/conversations/${conversationId}`;
    const renamed = await eve.call(path, { method: 'PATCH', body: { title: '  New name ' } });
    expect([renamed.status, ((await renamed.json()) as { title: string }).title]).toEqual([200, 'New name']);
    expect(await eve.titles()).toEqual(['New name']);
    for (const title of ['', '   ', 'x'.repeat(121), 'a\u0000b']) {
      expect((await eve.call(path, { method: 'PATCH', body: { title } })).status, JSON.stringify(title)).toBe(400);
    }
    expect((await eve.call(path, { method: 'DELETE' })).status).toBe(204);
    expect(await eve.titles()).toEqual([]);
    expect((await eve.call(path)).status).toBe(404);
    expect((await eve.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await eve.post({ conversationId, text: 'Still there?' })).status).toBe(404);
  });
});

describe('a withdrawn agent', () => {
  test('has readable conversations, but accepts no messages', async () => {
    const leaving = await ScriptedAgent.start({ name: 'Leaving' });
    leaving.answer(({ result, end }) => {
      result(agent03.status('up-l', 'completed', 'Bye'));
      end();
    });
    const slug = await listAgent(parley.url, bob.person, { url: leaving.url });
    const { conversationId } = await ada.say({ agentSlug: slug, text: 'Are you there?' });
    await ended(ada, conversationId);
    await send(`${parley.url}/api/agents/${slug}`, { method: 'DELETE', bearer: bob.person.accessToken });
    const { agent: partner, tasks } = await ada.thread(conversationId);
    expect(partner.closed).toMatch(/withdrawn/);
    expect(tasks).toHaveLength(1);
    expect((await ada.post({ conversationId, text: 'Hello?' })).status).toBe(410);
    expect((await ada.post({ agentSlug: slug })).status).toBe(404);
    await leaving.stop();
  });

  test('is not found by users other than its owner if it is private', async () => {
    const hidden = await ScriptedAgent.start({ name: 'Hidden' });
    const slug = await listAgent(parley.url, bob.person, { url: hidden.url, visibility: 'private' });
    expect((await ada.post({ agentSlug: slug })).status).toBe(404);
    expect((await bob.post({ agentSlug: slug })).status).toBe(202);
    await hidden.stop();
  });
});

describe('AUZ-1 another user’s id', () => {
  test('gets exactly the response for an unknown id, in every method', async () => {
    says(agent03.status('up-q', 'input-required', 'Which size?'));
    const { conversationId, taskId } = await ada.say({ agentSlug, text: 'Mine' });
    await ended(ada, conversationId, 'input-required');
    const own = await bob.say({ agentSlug, text: 'His' });
    const unknown = { conversation: 'cnv_00000000000000000000', task: newUuid() };
    const answersFor = async (conversation: string, task: string): Promise<string[]> => {
      const path = `/api/chat/conversations/${conversation}`;
      const responses = [
        await bob.call(path),
        await bob.call(path, { method: 'PATCH', body: { title: 'Taken over' } }),
        await bob.call(path, { method: 'DELETE' }),
        await bob.events(conversation),
        await bob.events(conversation, { after: '0' }),
        await bob.post({ conversationId: conversation }),
        await bob.post({ conversationId: conversation, taskId: task }),
        await bob.post({ conversationId: own.conversationId, taskId: task }),
        await bob.cancel(task, conversation),
        await bob.cancel(task, own.conversationId),
      ];
      return Promise.all(
        responses.map(async (response) => {
          const body = (await response.text()).replaceAll(conversation, '<id>').replaceAll(task, '<id>');
          return `${response.status} ${body.replace(/"requestId":"[^"]+"/, '')}`;
        }),
      );
    };
    const foreign = await answersFor(conversationId, taskId);
    expect(foreign).toEqual(await answersFor(unknown.conversation, unknown.task));
    for (const answer of foreign) expect(answer).toMatch(/^404 /);
    expect((await ada.thread(conversationId)).conversation.title).toBe('Mine');
    expect(await bob.titles()).not.toContain('Mine');
  });

  test('is rejected without a session and with an access token by every endpoint', async () => {
    const { conversationId, taskId } = await ada.say({ agentSlug });
    const calls: [string, string, object?][] = [
      ['GET', '/api/chat/conversations'],
      ['GET', `/api/chat/conversations/${conversationId}`],
      ['PATCH', `/api/chat/conversations/${conversationId}`, { title: 'x' }],
      ['DELETE', `/api/chat/conversations/${conversationId}`],
      ['GET', `/api/chat/conversations/${conversationId}/events`],
      ['POST', '/api/chat/messages', { agentSlug, messageId: newUuid(), text: 'x' }],
      ['POST', `/api/chat/tasks/${taskId}/cancel`, { conversationId }],
    ];
    for (const [method, path, body] of calls) {
      const url = `${parley.url}${path}`;
      expect((await send(url, { method, body })).status, `${method} ${path}`).toBe(401);
      expect((await send(url, { method, body, bearer: ada.person.accessToken })).status, `${method} ${path}`).toBe(403);
      if (method === 'GET') continue;
      const unauthorized = { method, body, cookie: ada.person.cookie, origin: 'https://evil.example' };
      expect((await send(url, unauthorized)).status, `CSRF-1 ${method} ${path}`).toBe(403);
      expect((await send(url, { ...unauthorized, origin: undefined })).status, `CSRF-1 ${method} ${path}`).toBe(403);
    }
  });

  test.each(['cnv_%01', 'cnv_..%2f..', '%F0%9F%9A%80', 'x'.repeat(500), "cnv_'--"])(
    'is unknown if it is %s',
    async (id) => {
      expect((await ada.call(`/api/chat/conversations/${id}`)).status).toBe(404);
      expect((await ada.call(`/api/chat/conversations/${id}`, { method: 'DELETE' })).status).toBe(404);
      expect((await ada.events(id)).status).toBe(404);
    },
  );
});
